package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"fieldbook/grader"
)

// readInputs takes a job's files into memory, folders before what is in them. Links and devices are refused; so is more
// than disk bytes, which would not fit into scratch.
func readInputs(files fs.FS, disk int64) ([]input, error) {
	if files == nil {
		return nil, nil
	}
	var inputs []input
	var total int64
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == ".":
			return nil
		case entry.IsDir():
			inputs = append(inputs, input{path: path, folder: true})
			return nil
		case !entry.Type().IsRegular():
			return fmt.Errorf("%s is not a regular file", path)
		}
		data, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		if total += int64(len(data)); total > disk {
			return fmt.Errorf("the files are larger than the scratch folder (%s)", bytesInWords(disk))
		}
		inputs = append(inputs, input{path: path, data: data})
		return nil
	})
	if err != nil {
		return nil, &grader.Error{
			Code:    "sandbox_inputs",
			Message: "The files for this run could not be read",
			Hint:    "This is not a fault of your code. Run the command again; if it stays, send the log to your instructor.",
			Exit:    grader.ExitVoid,
			Cause:   err,
		}
	}
	return inputs, nil
}

// writeInputs makes the files in the worker's own folder, in the worker, so that they belong to it and count against its
// limit.
func writeInputs(folder string, inputs []input) error {
	for _, in := range inputs {
		if folder == "" || !fs.ValidPath(in.path) {
			return fmt.Errorf("input %s has no place", strconv.Quote(in.path))
		}
		path := filepath.Join(folder, filepath.FromSlash(in.path))
		var err error
		if in.folder {
			err = os.Mkdir(path, 0o700)
		} else {
			err = os.WriteFile(path, in.data, 0o600)
		}
		if err != nil {
			return fmt.Errorf("writing input %s: %w", strconv.Quote(in.path), err)
		}
	}
	return nil
}
