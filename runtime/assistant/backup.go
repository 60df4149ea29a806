package assistant

import (
	"context"
	"errors"
	"fmt"

	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
)

// Backup writes the committed rows of the shop into a new file at dest and makes it durable: one finished database with
// nothing beside it. Whatever is at dest already, a link that leads nowhere included, is refused and kept. After an error
// no file is left.
func Backup(ctx context.Context, db *database.Database, dest string) error {
	folder := files.Folder(dest)
	// A folder that is made here is an entry of the folder above it, which is synced too.
	changed := []string{folder}
	for missing := folder; ; missing = files.Folder(missing) {
		if _, err := files.Identity(missing); !errors.Is(err, files.ErrNotExist) {
			break
		}
		changed = append(changed, files.Folder(missing))
	}
	if err := files.MakeFolder(folder); err != nil {
		return fmt.Errorf("make the folder of the backup: %w", err)
	}
	file, err := files.CreateExclusive(dest, 0o600)
	if errors.Is(err, files.ErrExist) {
		return shop.ErrBackupExists
	}
	if err != nil {
		return fmt.Errorf("create the backup: %w", err)
	}

	write := func() error {
		if err := file.Close(); err != nil {
			return err
		}
		if err := db.BackupTo(ctx, dest); err != nil {
			return err
		}
		written, err := database.OpenBackup(ctx, dest)
		if err != nil {
			return err
		}
		if err := errors.Join(written.Integrity(ctx), written.Close()); err != nil {
			return err
		}
		if err := files.Sync(dest); err != nil {
			return err
		}
		for _, folder := range changed {
			if err := files.SyncFolder(folder); err != nil {
				return err
			}
		}
		return nil
	}
	if err := write(); err != nil {
		return errors.Join(fmt.Errorf("write the backup: %w", err), files.Remove(dest))
	}
	return nil
}
