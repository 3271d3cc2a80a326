"""Numbers that several modules of the front end share."""

cdef enum:
    MAX_DEBUG_GROUPS = 64           # GL_MAX_DEBUG_GROUP_STACK_DEPTH, the default group counted
    MAX_DEBUG_MESSAGE = 4096        # GL_MAX_DEBUG_MESSAGE_LENGTH, with the final NUL
    MAX_DEBUG_LOGGED = 256          # GL_MAX_DEBUG_LOGGED_MESSAGES
    MAX_LABEL = 256                 # GL_MAX_LABEL_LENGTH, with the final NUL
