"""Numbers that several modules of the front end share."""

cdef enum:
    MAX_DEBUG_GROUPS = 64           # GL_MAX_DEBUG_GROUP_STACK_DEPTH, the default group counted
    MAX_DEBUG_MESSAGE = 4096        # GL_MAX_DEBUG_MESSAGE_LENGTH, with the final NUL
    MAX_DEBUG_LOGGED = 256          # GL_MAX_DEBUG_LOGGED_MESSAGES
    MAX_LABEL = 256                 # GL_MAX_LABEL_LENGTH, with the final NUL

# Where a unit keeps the texture of each target (TextureUnit.bound, Texture.target_index, ProgramSlot.target_index).
cdef enum:
    INDEX_1D = 0
    INDEX_2D = 1
    INDEX_3D = 2
    INDEX_1D_ARRAY = 3
    INDEX_2D_ARRAY = 4
    INDEX_RECTANGLE = 5
    INDEX_CUBE = 6
    INDEX_CUBE_ARRAY = 7
    INDEX_BUFFER = 8
    INDEX_2D_MULTISAMPLE = 9
    INDEX_2D_MULTISAMPLE_ARRAY = 10
    INDEX_NONE = 11
