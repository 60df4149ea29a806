package enter

// limit has nothing to do here: the parent has put the process into a job object, which limits memory, processes and time.
func (w *Worker) limit() (string, error) { return "job object of the parent", nil }
