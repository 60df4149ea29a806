package operation

// Kind is the kind of a log entry: a durable operation, a call into a supplied package, or a mark.
type Kind string

// Durable operations: what a disk was asked to do. These are the points at which a crash is explored.
const (
	Create     Kind = "create"      // Path now exists, empty, exclusively made
	Write      Kind = "write"       // Data at Offset of Path
	Truncate   Kind = "truncate"    // Path cut or grown to Size
	Sync       Kind = "sync"        // contents of Path are durable
	Rename     Kind = "rename"      // Path became To
	Remove     Kind = "remove"      // Path is gone
	Folder     Kind = "folder"      // folder Path now exists
	SyncFolder Kind = "sync_folder" // entries of folder Path are durable
)

// Entries that are not durable operations: they say who asked for one, and when.
const (
	Call   Kind = "call"   // a call into a supplied package began: Name, Detail, File, Line
	Return Kind = "return" // the call whose Seq is Call ended: Err, Changed
	Mark   Kind = "mark"   // the probe marks a moment: Name
)

// Durable reports whether the entry is a durable operation.
func (k Kind) Durable() bool { return k != Call && k != Return && k != Mark }

// Entry is one line of an operation log. Paths are slash-separated and relative to the recorder's root; the root itself
// is ".". Data is raw bytes (base64 in JSON).
type Entry struct {
	Seq    int    `json:"seq"` // from 1, without gaps
	Kind   Kind   `json:"kind"`
	Call   int    `json:"call,omitempty"` // Seq of the enclosing call entry; 0: none (a finaliser, the probe itself)
	Path   string `json:"path,omitempty"`
	To     string `json:"to,omitempty"`
	Offset int64  `json:"offset,omitempty"`
	Size   int64  `json:"size,omitempty"`
	Data   []byte `json:"data,omitempty"`

	Name    string `json:"name,omitempty"`    // "database.Exec"; a mark's label
	Detail  string `json:"detail,omitempty"`  // SQL with white space folded, file names; at most 512 bytes
	Subject string `json:"subject,omitempty"` // which handle or file the call is about, relative path
	File    string `json:"file,omitempty"`    // copied source file that made the call, "runtime/assistant/restore.go"
	Line    int    `json:"line,omitempty"`    // its line; 0: unknown or supplied
	Changed int64  `json:"changed,omitempty"` // rows
	Err     string `json:"err,omitempty"`
}
