//go:build exercise

// Package probe has a worker report after the restore.
package probe
