package shop

import (
	"context"
	"errors"
)

// Refusals of Restore. The live shop is exactly as it was after each of them.
var (
	ErrSeparateBackup   = errors.New("a separate existing backup is required")
	ErrCorruptBackup    = errors.New("restore source is corrupt")
	ErrUnfinishedBackup = errors.New("restore source is not a finished backup")
	ErrSchemaMismatch   = errors.New("restore requires the same schema version; migrate a copy first")
)

// Refusals of the other functions of the assistant.
var (
	ErrBackupExists  = errors.New("backup destination already exists")
	ErrPermission    = errors.New("the claim has no permission in the shop's current history")
	ErrLeaseLost     = errors.New("the claim no longer holds its work")
	ErrStaleEpoch    = errors.New("a resume must name the shop's current epoch")
	ErrOriginTaken   = errors.New("the origin already belongs to other content")
	ErrRequestLimits = errors.New("the request is outside its limits")
	ErrLeaseLimits   = errors.New("a claim needs an owner and a lease of 1 to 3600 whole seconds")
	ErrNotFinal      = errors.New("work is finished as DONE, BLOCKED or CANCELED")
)

// Refusal names the class of an error by one stable word, so that an observation and a report never depend on an error's
// text: "none" for nil, "unclassified" for an error that is no refusal of the shop (a raw driver error, for instance).
// A wrapped refusal has the class of the refusal.
func Refusal(err error) string {
	switch {
	case err == nil:
		return "none"
	case errors.Is(err, ErrSeparateBackup):
		return "separate_backup"
	case errors.Is(err, ErrCorruptBackup):
		return "corrupt_backup"
	case errors.Is(err, ErrUnfinishedBackup):
		return "unfinished_backup"
	case errors.Is(err, ErrSchemaMismatch):
		return "schema_mismatch"
	case errors.Is(err, ErrBackupExists):
		return "backup_exists"
	case errors.Is(err, ErrPermission):
		return "permission"
	case errors.Is(err, ErrLeaseLost):
		return "lease_lost"
	case errors.Is(err, ErrStaleEpoch):
		return "stale_epoch"
	case errors.Is(err, ErrOriginTaken):
		return "origin_taken"
	case errors.Is(err, ErrRequestLimits):
		return "request_limits"
	case errors.Is(err, ErrLeaseLimits):
		return "lease_limits"
	case errors.Is(err, ErrNotFinal):
		return "not_final"
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "deadline_exceeded"
	default:
		return "unclassified"
	}
}
