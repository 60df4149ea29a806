// Package database is the shop's SQLite database as the course uses it: a handle with transactions, an image to prepare
// a restore in, SQLite's online backup, and a log of everything that is done.
//
// Supplied: compiled, and offered to interpreted code. It runs in the sandboxed worker and in native tests, and imports
// runtime/operation, runtime/clock and runtime/files/lock. Times are UTC seconds and money is whole cents.
//
// # Handles
//
// A Database is one handle: one SQLite connection, kept open until Close. Open gives a handle on the live database,
// OpenBackup one that reads a finished backup, OpenImage one on an empty temporary database. A handle does one thing at
// a time. While Immediate runs a transaction on it, every other method of the handle returns ErrInTransaction, whoever
// calls: statements inside go through the Tx. Two workers are two handles.
//
// Query reads all rows before it returns. Rows that nobody closes hold nothing, neither a snapshot nor the handle.
//
// Every call is logged by the recorder of the file's folder (runtime/operation), and so are the writes, syncs,
// truncations, creations and removals that SQLite makes for it. Entries carry the call that caused them.
//
// # Backup
//
// BackupTo writes this database into an existing empty file and leaves that one file, in journal mode DELETE; it does
// not sync it. So a backup is: files.CreateExclusive, BackupTo, OpenBackup and Integrity, files.Sync,
// files.SyncFolder; and files.Remove when any of them fails.
//
// # Tables
//
// All tables are STRICT; the checks are in schema.go.
//
//	assistant_control   id = 1, epoch, paused
//	assistant_work      id, origin, session, prompt, status, generation, owner, expires, created, result,
//	                    available_after, canceled, control, subject, role
//	assistant_orders    id, work_id, proposal, digest, amount_cents, status, approved_by, approved_until, revoked,
//	                    receipt, created, target
//	assistant_jobs      id, name, every_seconds, next_due, created, enabled
//	assistant_spending  id = 1, limit_cents, reserved_cents, spent_cents
//	events              id (assigned), at, kind, subject, detail; append-only
//	inventory           sku, on_hand, reorder, unit_cost_cents, price_cents
//	cash_ledger         id (assigned), at, amount_cents, reason, reference (unique); append-only
//	schema_migrations   version, name, applied
//
// Ids are text. Columns that say what a row is about (of work: id, origin, session, prompt, created, subject, role; of
// an order: id, work_id, proposal, digest, amount_cents, created, target) cannot be changed once inserted. The first
// opening inserts the control row, not paused; the spending row is inserted by whoever sets a limit.
//
// # Files
//
// Beside shop.db lie shop.db-wal and shop.db-shm while it is open, the authority marker shop.authority, folders
// shop.image-1, shop.image-2, … while images are open, and shop.authority.<epoch> while a marker is being published.
package database
