package scenario

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"fieldbook/cmd/fieldbook/lang"
)

// EvidenceFolder is the folder that holds collected evidence, one folder a scenario.
const EvidenceFolder = "evidence"

// TableFile is where the evidence table lies in the workspace, with slashes, unless another file is named.
const TableFile = EvidenceFolder + "/table.md"

// SourceFolder is the folder of evidence that holds the sources that ran.
const SourceFolder = "source"

// Bounds on a tree of evidence, which may be anybody's archive.
const (
	mostFolders = 64
	mostEntries = 4096
	deepest     = 6
)

// ReadTree reads all evidence in a tree: each folder that holds a record. Where a folder is called evidence, what lies outside
// it does not count. name is what the tree's own folder is called, for a tree that is one scenario's evidence.
func ReadTree(tree fs.FS, name string) ([]Evidence, error) {
	folders, err := recorded(tree)
	if err != nil {
		return nil, err
	}
	var all []Evidence
	for _, folder := range folders {
		e, err := readEvidence(tree, folder, name)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Evidence) int { return order(a.Name, b.Name) })
	for i := 1; i < len(all); i++ {
		if all[i].Name == all[i-1].Name {
			return nil, fmt.Errorf("there are two folders for %s, %s and %s", all[i].Name, all[i-1].Folder, all[i].Folder)
		}
	}
	return all, nil
}

// order is the one in which scenarios are told: the course's own first, in its order.
func order(a, b string) int {
	place := func(name string) int {
		if i := slices.Index(Scenarios(), name); i >= 0 {
			return i
		}
		return len(Scenarios())
	}
	if d := place(a) - place(b); d != 0 {
		return d
	}
	return strings.Compare(a, b)
}

// recorded are the folders of a tree that hold a record.
func recorded(tree fs.FS) ([]string, error) {
	var folders []string
	entries := 0
	err := fs.WalkDir(tree, ".", func(at string, entry fs.DirEntry, err error) error {
		entries++
		switch {
		case err != nil:
			return err
		case entries > mostEntries:
			return errors.New("there are too many files")
		case entry.IsDir() && strings.Count(at, "/") >= deepest:
			return fs.SkipDir
		case !entry.IsDir() && path.Base(at) == RecordFile:
			folders = append(folders, path.Dir(at))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	inside := slices.DeleteFunc(slices.Clone(folders), func(folder string) bool {
		return !slices.Contains(strings.Split(path.Dir(folder), "/"), EvidenceFolder)
	})
	if len(inside) > 0 {
		folders = inside
	}
	if len(folders) > mostFolders {
		return nil, fmt.Errorf("there are more than %d folders of evidence", mostFolders)
	}
	return folders, nil
}

func readEvidence(tree fs.FS, folder, name string) (Evidence, error) {
	files := Files{}
	for _, file := range append(Names(), RecordFile) {
		data, err := readIn(tree, path.Join(folder, file))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return Evidence{}, err
		}
		files[file] = data
	}
	if folder != "." {
		name = path.Base(folder)
	}
	name = shown(name) // of anybody's archive
	at := path.Join(EvidenceFolder, name)
	e := NewEvidence(name, at, files)
	for _, run := range e.Record.Runs {
		for _, s := range run.Sources {
			data, err := readIn(tree, path.Join(folder, SourceFolder, path.Base(s.Path)))
			if err != nil {
				continue // Damage tells
			}
			if e.Kept == nil {
				e.Kept = map[string][]byte{}
			}
			e.Kept[s.Path] = data
		}
	}
	return e, nil
}

// readIn reads a regular file of at most Most bytes.
func readIn(tree fs.FS, name string) ([]byte, error) {
	f, err := tree.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	data, err := io.ReadAll(io.LimitReader(f, Most+1))
	if err == nil && len(data) > Most {
		err = fmt.Errorf("%s is larger than 1 MiB", name)
	}
	return data, err
}

// Damage says why evidence cannot be replayed: what was recorded and what is kept do not belong together. "" is none.
func (e Evidence) Damage() string {
	for _, p := range e.Problems {
		if p.File == RecordFile {
			return fmt.Sprintf(lang.Key("%s cannot be read: %s"), e.At(RecordFile), p.Cause)
		}
	}
	if len(e.Record.Runs) == 0 {
		return fmt.Sprintf(lang.Key("%s records no run"), e.At(RecordFile))
	}
	for _, f := range e.Findings() {
		if f.Code == Changed {
			return fmt.Sprintf(lang.Key("%s is not what the last run left"), f.Artifact)
		}
	}
	for i, run := range e.Record.Runs {
		if run.Digest != e.Record.Runs[0].Digest {
			return fmt.Sprintf(lang.Key("run %d of %s was made on other sources than run 1"), i+1, e.At(RecordFile))
		}
		if run.Digest != SourcesDigest(run.Sources) {
			return fmt.Sprintf(lang.Key("the sources of run %d in %s do not have the digest that it names"), i+1, e.At(RecordFile))
		}
		for _, s := range run.Sources {
			file := e.At(SourceFolder + "/" + shown(path.Base(s.Path)))
			data, there := e.Kept[s.Path]
			if !there {
				return fmt.Sprintf(lang.Key("%s is missing"), file)
			}
			if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != s.SHA256 {
				return fmt.Sprintf(lang.Key("%s is not the source that ran"), file)
			}
		}
	}
	return ""
}

// SourcesDigest is the SHA-256 over a line for each source, its path and digest, in their order.
func SourcesDigest(sources []Source) string {
	sum := sha256.New()
	for _, s := range sources {
		fmt.Fprintf(sum, "%s  %s\n", s.SHA256, s.Path)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Uncollectable says why a folder is no evidence under a name, and what to do; "" when it is. Evidence under a scenario's
// own name is that scenario alone, in a folder that was clean, on the student's functions or the references.
func (e Evidence) Uncollectable() (why, hint string) {
	runs := e.Record.Runs
	fresh := fmt.Sprintf(lang.Key("Begin anew: fieldbook scenario clean; fieldbook scenario %s"), e.Name)
	switch s := slices.Contains(Scenarios(), e.Name); {
	case len(runs) == 0:
		return fmt.Sprintf(lang.Key("%s records no run"), e.At(RecordFile)), fmt.Sprintf(lang.Key("Run a scenario first: fieldbook scenario %s"), e.Name)
	case len(runs[0].Found) > 0:
		return lang.Key("the first recorded run found files that no recorded run has left"), fresh
	case !s:
		return "", ""
	case e.Demonstrates():
		return fmt.Sprintf(lang.Key("a run was made on something wrong on purpose, and %s is evidence of your own functions"), e.Name), fmt.Sprintf(lang.Key("Give it another name, as in: fieldbook scenario collect %s"), runs[0].Variant)
	case runs[0].Scenario != e.Name:
		return fmt.Sprintf(lang.Key("the first run was %s, not %s"), runs[0].Scenario, e.Name), fresh
	}
	crashes := runs[0].ExitCode == 1
	for i, run := range runs[1:] {
		if !crashes || run.Scenario != Scenarios()[0] {
			return fmt.Sprintf(lang.Key("run %d was %s, and evidence of %s holds no other run"), i+2, run.Scenario, e.Name), fresh
		}
	}
	return "", ""
}
