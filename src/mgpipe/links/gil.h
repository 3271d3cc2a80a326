/* A wait that may park lets other Python threads run first, and only a thread that holds the GIL can.
 * moderngl never releases it around a GL call; ctypes libraries always do; the apply thread never has it. */
#ifndef MGPIPE_GIL_H
#define MGPIPE_GIL_H

#include <Python.h>

extern int PyGILState_Check(void);      /* exported by every CPython, not declared by the limited API */

/* The thread's state for gil_take_back; NULL: there was nothing to release. After Py_Finalize, PyGILState_Check answers 1. */
static inline void *gil_let_go(void)
{
    return Py_IsInitialized() && PyGILState_Check() ? (void *)PyEval_SaveThread() : NULL;
}

static inline void gil_take_back(void *state)
{
    if (state)
        PyEval_RestoreThread((PyThreadState *)state);
}

#endif
