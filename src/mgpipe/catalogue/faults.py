"""Every way in which a session can end for cause, named once. In C: `PIPE_FAULT_<NAME>`, numbered by position from 1."""

FAULTS: tuple[tuple[str, str], ...] = (
    # -- what a peer can cause with a record; the detail names `<call>.<field>`
    ("UnknownOperation", "no row of the catalogue has this operation number, or the row is retired"),
    ("RecordSize", "the record's size is not that of its payload and tails"),
    ("CountTooLarge", "a tail is longer than its row allows"),
    ("ValueOutOfRange", "a field holds a value that its check refuses: not in the set, beyond the bound, a foreign bit"),
    ("PaddingNotZero", "bytes that mean nothing are not zero"),
    ("NullHandle", "a handle that must name an object is null"),
    ("UnknownHandle", "a handle names no living object of its kind: never made, destroyed, or of an older generation"),
    ("HandleInUse", "a new handle's slot is taken, too high, or its generation did not rise"),
    ("BlobOutside", "a blob leaves its segment, or its segment is not there"),
    ("BlobSize", "a blob's size is not what the record's other fields imply"),
    ("RegionOutside", "a box, range or level leaves its resource"),
    ("NoContext", "a record that needs a current context came while none was bound"),
    ("WrongObject", "the object is of a kind or target that this record cannot be applied to"),
    ("VerifyMismatch", "what the records said is not what the front end's state says: verify mode found it before a verb"),
    ("NotSupplied", "the back end read something that was not supplied for this verb"),
    # -- link
    ("RingCorrupt", "a record's header is impossible, or a cursor moved backwards"),
    ("ReplyMissing", "no answer lies in the slot of a record that must be answered"),
    ("ReplyMismatched", "the slot holds another record's answer"),
    ("ReplySize", "an answer has another size than was asked for"),
    ("FrameMalformed", "a control or data frame is truncated, too long or not of its schema"),
    # -- driver and process
    ("Unimplemented", "a form that this build or back end has no implementation for"),
    ("NoDriver", "no OpenGL driver could be started"),
    ("DriverError", "the driver refused what its capabilities promise"),
    ("OutOfMemory", "an allocation failed"),
    ("DeviceLost", "the driver's context was reset"),
    ("ServerGone", "the server process ended or hung up"),
    ("Interrupted", "the program was interrupted in a wait that did not end"),
    ("EventsNotDrained", "the operator's limit for a client that does not take its events has passed"),
    # -- limits that the operator of a server set
    ("MemoryLimit", "the session's process holds more memory than the operator allows"),
    ("ShadowLimit", "the client made its shadow segment larger than was agreed"),
    ("ObjectLimit", "the session holds as many objects as the operator allows, and makes another"),
    ("IdleLimit", "no record came for as long as the operator allows"),
    ("VerbTimeout", "one call has kept the driver busy for longer than the operator allows"),
)
