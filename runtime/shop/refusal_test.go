package shop_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"fieldbook/runtime/shop"
)

func TestRefusal(t *testing.T) {
	tests := []struct {
		err   error
		class string
		text  string
	}{
		{shop.ErrSeparateBackup, "separate_backup", "a separate existing backup is required"},
		{shop.ErrCorruptBackup, "corrupt_backup", "restore source is corrupt"},
		{shop.ErrUnfinishedBackup, "unfinished_backup", "restore source is not a finished backup"},
		{shop.ErrSchemaMismatch, "schema_mismatch", "restore requires the same schema version; migrate a copy first"},
		{shop.ErrBackupExists, "backup_exists", "backup destination already exists"},
		{shop.ErrPermission, "permission", "the claim has no permission in the shop's current history"},
		{shop.ErrLeaseLost, "lease_lost", "the claim no longer holds its work"},
		{shop.ErrStaleEpoch, "stale_epoch", "a resume must name the shop's current epoch"},
		{shop.ErrOriginTaken, "origin_taken", "the origin already belongs to other content"},
		{shop.ErrRequestLimits, "request_limits", "the request is outside its limits"},
		{shop.ErrLeaseLimits, "lease_limits", "a claim needs an owner and a lease of 1 to 3600 whole seconds"},
		{shop.ErrNotFinal, "not_final", "work is finished as DONE, BLOCKED or CANCELED"},
		{context.Canceled, "canceled", "context canceled"},
		{context.DeadlineExceeded, "deadline_exceeded", "context deadline exceeded"},
		{io.ErrUnexpectedEOF, "unclassified", "unexpected EOF"},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		t.Run(test.class, func(t *testing.T) {
			if got := test.err.Error(); got != test.text {
				t.Errorf("text = %q, want %q", got, test.text)
			}
			if got := shop.Refusal(test.err); got != test.class {
				t.Errorf("class = %q, want %q", got, test.class)
			}
			if got := shop.Refusal(fmt.Errorf("restore: %w", test.err)); got != test.class {
				t.Errorf("class when wrapped = %q, want %q", got, test.class)
			}
			if got := shop.Refusal(errors.New(test.text)); got != "unclassified" {
				t.Errorf("class of another error with the same text = %q, want unclassified", got)
			}
			if seen[test.class] {
				t.Errorf("the class %q names two refusals", test.class)
			}
			seen[test.class] = true
		})
	}
	if got := shop.Refusal(nil); got != "none" {
		t.Errorf("class of nil = %q, want none", got)
	}
}
