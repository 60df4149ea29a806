//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore case refusal 3b7d10c2

// Package probe offers Restore a source that it must refuse and asks whether the shop is as it was.
package probe

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/clock"
	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// Probe works in a shop, open or paused as the case says, while one claim of a worker is live.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	db, err := w.Open(ctx)
	if err != nil {
		return seen, err
	}
	if err := assistant.SeedLucy(ctx, db); err != nil {
		return seen, err
	}
	worker, _ := w.Case("worker").AsString()
	origin, _ := w.Case("origin").AsString()
	pending, _ := w.Case("pending").AsInt()
	for n := int64(1); n <= pending; n++ {
		name := fmt.Sprintf("%s:%d", origin, n)
		if _, err := assistant.Enqueue(ctx, db, shop.Request{Origin: name, Session: name, Prompt: "What is short?", Role: shop.Customer}); err != nil {
			return seen, err
		}
	}
	claim, err := assistant.Claim(ctx, db, worker, shop.DefaultLease)
	if err != nil {
		return seen, err
	}
	backup := w.Path("shop-backups", "good.sqlite")
	if err := assistant.Backup(ctx, db, backup); err != nil {
		return seen, err
	}
	if paused, _ := w.Case("paused").AsBool(); paused {
		if _, err := db.Exec(ctx, `UPDATE assistant_control SET paused = 1 WHERE id = 1`); err != nil {
			return seen, err
		}
	}
	before, err := state(ctx, db, claim)
	if err != nil {
		return seen, err
	}
	w.Mark("before")
	kind, _ := w.Case("kind").AsString()
	source, err := badSource(ctx, w, db, backup, kind)
	if err != nil {
		return seen, fmt.Errorf("make a source of kind %s: %w", kind, err)
	}
	offered, err := bad(w)
	if err != nil {
		return seen, err
	}

	refused := assistant.Restore(ctx, db, source)

	left, err := bad(w)
	if err != nil {
		return seen, err
	}
	// Nobody can read a damaged database row by row: the world is left without it.
	for _, name := range badNames() {
		if _, there := left[name]; there {
			if err := files.Remove(w.Path("shop-backups", name)); err != nil {
				return seen, err
			}
		}
	}
	w.Mark("restored")
	if refused == nil {
		seen.Null("restore_error")
	} else {
		seen.String("restore_error", shop.Refusal(refused))
	}
	after, err := state(ctx, db, claim)
	if err != nil {
		return seen, err
	}
	seen.Bool("shop_as_before", after == before)
	seen.Bool("source_as_before", fmt.Sprint(left) == fmt.Sprint(offered))
	return seen, nil
}

// badNames are the files that a bad source can consist of.
func badNames() []string { return []string{"bad.sqlite", "bad.sqlite-wal", "bad.sqlite-journal"} }

// bad returns the contents of those that are there.
func bad(w *world.World) (map[string]string, error) {
	contents := map[string]string{}
	for _, name := range badNames() {
		there, err := files.Regular(w.Path("shop-backups", name))
		if err != nil {
			return nil, err
		}
		if !there {
			continue
		}
		data, err := files.Read(w.Path("shop-backups", name))
		if err != nil {
			return nil, err
		}
		contents[name] = string(data)
	}
	return contents, nil
}

// state is what must not change: control row, marker, file, and what the live claim is worth.
func state(ctx context.Context, db *database.Database, claim *shop.Claim) (string, error) {
	var epoch string
	var paused bool
	if err := db.QueryRow(ctx, `SELECT epoch, paused FROM assistant_control WHERE id = 1`).Scan(&epoch, &paused); err != nil {
		return "", err
	}
	marker, err := files.Read(db.Marker())
	if err != nil {
		return "", err
	}
	identity, err := files.Identity(db.Path())
	if err != nil {
		return "", err
	}
	worth := shop.Refusal(assistant.AssertCurrent(ctx, db, claim))
	return fmt.Sprintf("%s %v %s %s %s", epoch, paused, marker, identity, worth), nil
}

// badSource makes a source of one kind and returns its path.
func badSource(ctx context.Context, w *world.World, db *database.Database, backup, kind string) (string, error) {
	path := w.Path("shop-backups", "bad.sqlite")
	switch kind {
	case "live path":
		return db.Path(), nil
	case "live path, with a dot":
		return w.Path() + "/./" + world.DatabaseFile, nil
	case "live path, through a folder":
		return w.Path() + "/shop-backups/../" + world.DatabaseFile, nil
	case "missing":
		return w.Path("shop-backups", "nobody.sqlite"), nil
	case "folder":
		return w.Path("shop-backups"), nil
	case "empty file":
		return path, write(path, nil)
	case "text file":
		return path, write(path, []byte(strings.Repeat("Monday: vanilla 2, chocolate 12\n", 300)))
	case "header alone":
		return path, write(path, []byte("SQLite format 3\x00"))
	case "small pages":
		return path, write(path, smallPages())
	case "UTF-16":
		return path, write(path, sixteenBits())
	case "lacks a version":
		return otherShop(ctx, w, path, `DELETE FROM schema_migrations WHERE version = 2`)
	case "has a version more":
		return otherShop(ctx, w, path, `INSERT INTO schema_migrations (version, name, applied) VALUES (4, 'deliveries', 0)`)
	case "no schema table":
		return otherShop(ctx, w, path, `DROP TABLE schema_migrations`)
	}

	data, err := files.Read(backup)
	if err != nil {
		return "", err
	}
	switch kind {
	case "half a backup":
		return path, write(path, data[:len(data)/2])
	case "write-ahead header":
		data[18], data[19] = 2, 2
		return path, write(path, data)
	case "log beside it":
		if err := write(path+"-wal", []byte("the last rows")); err != nil {
			return "", err
		}
		return path, write(path, data)
	case "journal beside it":
		if err := write(path+"-journal", []byte("half a change")); err != nil {
			return "", err
		}
		return path, write(path, data)
	case "corrupt page":
		// A page that Restore has no other reason to read.
		table, _ := w.Case("table").AsString()
		var page int
		if err := db.QueryRow(ctx, `SELECT rootpage FROM sqlite_schema WHERE name = ?`, table).Scan(&page); err != nil {
			return "", err
		}
		format, err := db.Format(ctx)
		if err != nil {
			return "", err
		}
		for i := (page - 1) * format.PageSize; i < page*format.PageSize; i++ {
			data[i] = 0xff
		}
		return path, write(path, data)
	}
	return "", fmt.Errorf("the kind is unknown")
}

func write(path string, data []byte) error {
	file, err := files.CreateExclusive(path, 0o600)
	if err != nil {
		return err
	}
	if _, err := file.Write(data); err != nil {
		return err
	}
	return file.Close()
}

// otherShop backs up a shop of its own after one statement has changed it.
func otherShop(ctx context.Context, w *world.World, backup, statement string) (string, error) {
	other, err := database.Open(ctx, w.Path("other", "shop.sqlite"), database.Options{Clock: w.Clock(), IDs: clock.NewSeeded(4242, 0, 1000)})
	if err != nil {
		return "", err
	}
	if _, err := other.Exec(ctx, statement); err != nil {
		return "", err
	}
	if err := assistant.Backup(ctx, other, backup); err != nil {
		return "", err
	}
	return backup, other.Close()
}

// smallPages is a database of pages of 512 bytes, sixteenBits one with text in UTF-16. Each has the schema versions 1, 2
// and 3 and nothing else, so that it differs from the shop in its format alone as far as a check can tell.
func smallPages() []byte {
	return sparse(1024, map[int]string{
		0:    "53514c69746520666f726d617420330002000101004020200000000200000002",
		43:   "0100000004",
		59:   "01",
		95:   "02002e63010d000000010194000194",
		404:  "6a0107172f2f0181037461626c65736368656d615f6d6967726174696f6e73736368656d615f6d6967726174696f6e7302435245415445205441424c4520736368656d615f6d6967726174696f6e732876657273696f6e20696e7465676572207072696d617279206b6579290d0000000301f40001fc01f801f4",
		1012: "0203020002020200020102",
	})
}

func sixteenBits() []byte {
	return sparse(8192, map[int]string{
		0:  "53514c69746520666f726d617420330010000101004020200000000200000002",
		43: "0100000004",
		59: "02",
		95: "02002e63010d000000010f31000f31",
		3889: "814c01072151510181797400610062006c00650073006300680065006d0061005f006d006900670072006100740069006f006e007300" +
			"73006300680065006d0061005f006d006900670072006100740069006f006e0073000243005200450041005400450020005400410042" +
			"004c004500200073006300680065006d0061005f006d006900670072006100740069006f006e007300280076006500720073006900" +
			"6f006e00200069006e007400650067006500720020007000720069006d0061007200790020006b006500790029000d000000030ff4" +
			"000ffc0ff80ff4",
		8180: "0203020002020200020102",
	})
}

// sparse writes pieces of hexadecimal digits at their offsets into that many zero bytes.
func sparse(size int, pieces map[int]string) []byte {
	data := make([]byte, size)
	for offset, digits := range pieces {
		piece, err := hex.DecodeString(digits)
		if err != nil {
			panic(err)
		}
		copy(data[offset:], piece)
	}
	return data
}
