package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fieldbook/cmd/proctor/identity"
	"fieldbook/handoff"
	"fieldbook/handoff/archive"
	"fieldbook/handoff/key"
	submissions "fieldbook/handoff/submission"
)

// submission is a file and, when it was said, the name of who handed it in.
type submission struct{ file, student string }

// parseSubmission reads FILE or STUDENT=FILE. A file whose own name has an equals sign in it is meant when it is there.
func parseSubmission(arg string) submission {
	if student, file, named := strings.Cut(arg, "="); named && student != "" && file != "" {
		if _, err := os.Lstat(arg); err != nil {
			return submission{file: file, student: student}
		}
	}
	return submission{file: arg}
}

// part is a handoff that was handed in: a file, or an entry of an archive.
type part struct {
	submission
	entry string
	data  []byte
	err   error // why there is nothing to verify
}

// partsOf are the handoffs in what was handed in. An archive that does not agree with itself is one part, with the reason.
func partsOf(s submission) []part {
	data, err := handoff.ReadFileUpTo(s.file, submissions.MaxBytes)
	if err != nil || !archive.Is(data) {
		return []part{{submission: s, data: data, err: err}}
	}
	read, err := submissions.Read(data)
	if err != nil {
		return []part{{submission: s, err: err}}
	}
	var list []part
	for _, h := range read.Handoffs {
		list = append(list, part{submission: s, entry: h.Name, data: h.Data})
	}
	return list
}

// handoff verifies the part's bytes.
func (p part) handoff() (*handoff.Handoff, error) {
	if p.err != nil {
		return nil, p.err
	}
	return handoff.Verify(p.data, handoff.Expect{})
}

// name is what the part is called: the file, and behind it the entry of an archive.
func (p part) name() string {
	if p.entry == "" {
		return p.file
	}
	return p.file + ": " + p.entry
}

// identityOptions say whose a key is.
type identityOptions struct {
	roster   string
	firstUse string
}

func (o *identityOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.roster, "roster", "", "CSV `file` with the columns student and public_key: who has which key")
	f.StringVar(&o.firstUse, "first-use", "", "CSV `file` that remembers which key came first with which name; made when it is missing")
}

func (o *identityOptions) check() error {
	if o.roster != "" && o.firstUse != "" {
		return usage("--roster and --first-use exclude each other", "A roster knows the keys beforehand; first use learns them.")
	}
	return nil
}

// binder says whose a key is, as far as the options go. Close it.
func (o *identityOptions) binder(ctx context.Context) (identity.Binder, func(), error) {
	switch {
	case o.roster != "":
		r, err := identity.ReadRoster(o.roster)
		return r, func() {}, err
	case o.firstUse != "":
		f, err := identity.OpenFirstUse(ctx, o.firstUse, time.Now)
		if err != nil {
			return nil, func() {}, err
		}
		return f, func() { _ = f.Close() }, nil
	default:
		return identity.Nobody{}, func() {}, nil
	}
}

// instructorKey is where the instructor's own key lies, unless another folder is named.
func instructorKey(folder string) (key.Store, error) {
	if folder != "" {
		return key.Store{Folder: folder}, nil
	}
	config, err := os.UserConfigDir()
	if err != nil {
		return key.Store{}, usage("this user has no configuration folder for a signing key", "Name a folder with --key.")
	}
	return key.Store{Folder: filepath.Join(config, "fieldbook", "instructor")}, nil
}
