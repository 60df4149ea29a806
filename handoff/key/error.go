package key

// Codes of the errors of this package, which are all *handoff.Error. Reading and writing files adds those of handoff.
const (
	CodeMissing = "key_missing" // Load: no key was made yet
	CodeDamaged = "key_damaged" // empty, cut off, not decodable
	CodeForeign = "key_foreign" // a file of another kind
	CodeExposed = "key_exposed" // others may read the key, or replace it
	CodeBusy    = "key_busy"    // another process keeps the folder locked
)
