package operation

// textLimit bounds every piece of free text in an entry, in bytes.
const textLimit = 512
