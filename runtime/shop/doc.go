// Package shop holds the words of Lucy's ice-cream shop: the rows of its database as Go types, the limits of its rules,
// and the refusals with their exact texts. It does nothing.
//
// It is supplied: compiled, offered to interpreted code, and shared by the copied packages, the probes and the parent.
// Types and errors live here and not in a copied package because an interpreter keeps the identity of compiled types
// only: errors.Is, type switches and comparisons work on them whoever asks. It imports nothing of ours.
package shop
