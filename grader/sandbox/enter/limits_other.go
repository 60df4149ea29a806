//go:build !linux && !darwin && !windows

package enter

func (w *Worker) limit() (string, error) { return "", errLinuxOnly }
