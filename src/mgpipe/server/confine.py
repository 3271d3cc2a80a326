"""What a session's process may still do once its driver runs: nothing that a driver has no need of.

A client's bytes reach a driver, and drivers have bugs. So the process gains no privileges, starts no process, looks into no
other one and opens no socket; its core would hold a client's pictures, so it writes none.
"""

import ctypes
import errno
import os
import platform
import resource
import struct

PR_SET_NO_NEW_PRIVS = 38
SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC = 1, 1      # all threads: the driver's, too
RET_ALLOW, RET_ERRNO, RET_KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
LOAD_WORD, JUMP_IF_EQUAL, JUMP_IF_BITS, RETURN = 0x20, 0x15, 0x45, 0x06
NUMBER_AT, ARCHITECTURE_AT, FIRST_ARGUMENT_AT = 0, 4, 16        # in struct seccomp_data
CLONE_THREAD = 0x10000

# Architecture → its AUDIT_ARCH, the numbers of seccomp(2), clone and clone3, and of what is denied: a driver that tries hears
# EPERM. Of clone only threads are allowed; clone3 hides its flags in memory, and is said not to exist: libc then uses clone.
ARCHITECTURES = {
    "x86_64": (0xC000003E, 317, (56, 435), {"fork": 57, "vfork": 58, "socket": 41,
        "execve": 59, "execveat": 322, "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "connect": 42,
        "bind": 49, "listen": 50, "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "setns": 308, "unshare": 272,
        "bpf": 321, "kexec_load": 246, "init_module": 175, "finit_module": 313, "delete_module": 176, "reboot": 169,
        "keyctl": 250, "add_key": 248, "request_key": 249, "open_by_handle_at": 304, "swapon": 167, "swapoff": 168,
        "setuid": 105, "setgid": 106, "setresuid": 117, "setresgid": 119, "io_uring_setup": 425}),
    "aarch64": (0xC00000B7, 277, (220, 435), {"socket": 198,
        "execve": 221, "execveat": 281, "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "connect": 203,
        "bind": 200, "listen": 201, "mount": 40, "umount2": 39, "pivot_root": 41, "chroot": 51, "setns": 268, "unshare": 97,
        "bpf": 280, "kexec_load": 104, "init_module": 105, "finit_module": 273, "delete_module": 106, "reboot": 142,
        "keyctl": 219, "add_key": 217, "request_key": 218, "open_by_handle_at": 265, "swapon": 224, "swapoff": 225,
        "setuid": 146, "setgid": 144, "setresuid": 147, "setresgid": 149, "io_uring_setup": 425}),
}


class Program(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def instruction(code: int, value: int, when_true: int = 0, when_false: int = 0) -> bytes:
    """struct sock_filter."""
    return struct.pack("=HBBI", code, when_true, when_false, value)


def filter_program(architecture: int, clones: tuple[int, int], denied: list[int]) -> bytes:
    """Another architecture's calls end the process: their numbers mean something else."""
    clone, clone3 = clones
    out = [instruction(LOAD_WORD, ARCHITECTURE_AT), instruction(JUMP_IF_EQUAL, architecture, 1),
           instruction(RETURN, RET_KILL_PROCESS), instruction(LOAD_WORD, NUMBER_AT),
           instruction(JUMP_IF_EQUAL, clone3, 0, 1), instruction(RETURN, RET_ERRNO | errno.ENOSYS),
           instruction(JUMP_IF_EQUAL, clone, 0, 4), instruction(LOAD_WORD, FIRST_ARGUMENT_AT),
           instruction(JUMP_IF_BITS, CLONE_THREAD, 1), instruction(RETURN, RET_ERRNO | errno.EPERM), instruction(RETURN, RET_ALLOW)]
    for left, number in zip(range(len(denied) - 1, -1, -1), denied):
        out.append(instruction(JUMP_IF_EQUAL, number, left + 1))
    return b"".join([*out, instruction(RETURN, RET_ALLOW), instruction(RETURN, RET_ERRNO | errno.EPERM)])


def limit_memory(more_bytes: int) -> None:
    """So much more than the process has by now: a driver that allocates it all at once is refused by the kernel, before
    anybody can look at what is resident."""
    with open("/proc/self/status") as file:
        data_kb = next(int(line.split()[1]) for line in file if line.startswith("VmData:"))
    most = (data_kb << 10) + more_bytes
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def confine(memory_bytes: int = 0) -> str:
    """Applies all of it to this process, for good; what could not be had, in words, or nothing. `memory_bytes`: the most that
    it may still allocate; 0: no limit."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory_bytes:
        limit_memory(memory_bytes)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return f"no_new_privs: {os.strerror(ctypes.get_errno())}"
    if platform.machine() not in ARCHITECTURES:
        return f"no system call filter for {platform.machine()}"
    architecture, seccomp, clones, denied = ARCHITECTURES[platform.machine()]
    program = filter_program(architecture, clones, list(denied.values()))
    fprog = Program(len(program) // 8, program)
    if libc.syscall(seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, ctypes.byref(fprog)) != 0:
        return f"system call filter: {os.strerror(ctypes.get_errno())}"
    return ""
