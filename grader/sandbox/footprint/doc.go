// Package footprint measures what this process holds of the machine. Tests take it before and after running what must
// leave nothing behind. Only Linux shows all of it. It imports nothing of ours.
package footprint
