package enter

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

const (
	maxInodes     = 256        // files and folders in scratch
	scratchInRoot = "/scratch" // where scratch is in the worker's own mount tree
)

// isolate makes a tmpfs the root of this process's mount tree: nothing of the machine can be named any more, not even by
// calls that landlock lets pass, and what is written is bounded in bytes and in number of files. Then it sends the
// parent a descriptor of the scratch folder, which keeps the tmpfs alive after this process and its mounts are gone.
func (w *Worker) isolate() error {
	if w.leftOut("mounts") { // as where a security module lets namespaces be made and nothing be done in them
		return fmt.Errorf("mounts: %w", errLeftOut)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making mounts private: %w", err)
	}
	if err := w.mountRoot(); err != nil {
		return err
	}
	// With the same folder for both, the old root lands on top of the new one and is detached from there.
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("changing the root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("leaving the machine's root: %w", err)
	}
	if err := unix.Mkdir(scratchInRoot, 0o700); err != nil {
		return fmt.Errorf("making scratch: %w", err)
	}
	if err := unix.Chdir(scratchInRoot); err != nil {
		return fmt.Errorf("entering scratch: %w", err)
	}
	w.Report.Folder = scratchInRoot
	if !w.Config.Scratch {
		return nil
	}
	return w.sendRoot()
}

// mountRoot mounts the tmpfs over a folder that every machine has, and enters it.
func (w *Worker) mountRoot() error {
	options := fmt.Sprintf("size=%d,nr_inodes=%d,mode=0700", w.Config.Disk, maxInodes)
	var err error
	for _, place := range []string{"/tmp", "/proc", "/dev"} {
		if err = unix.Mount("fieldbook", place, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, options); err == nil {
			return unix.Chdir(place)
		}
		if !errors.Is(err, unix.ENOENT) {
			break
		}
	}
	return fmt.Errorf("mounting scratch: %w", err)
}

func (w *Worker) sendRoot() error {
	root, err := unix.Open(scratchInRoot, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("opening scratch: %w", err)
	}
	defer unix.Close(root)
	if err := unix.Sendmsg(w.Descriptors.start, []byte{ReadyByte}, unix.UnixRights(root), nil, 0); err != nil {
		return fmt.Errorf("handing scratch to the parent: %w", os.NewSyscallError("sendmsg", err))
	}
	w.Report.Rooted = true
	return nil
}
