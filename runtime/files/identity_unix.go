//go:build unix

package files

import (
	"fmt"
	"os"
	"syscall"
)

func identity(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", fmt.Errorf("identity of %s: the file system does not tell it", path)
	}
	return fmt.Sprintf("%d:%d", stat.Dev, stat.Ino), nil
}
