package operation

import "errors"

// What an interceptor returns to make a durable operation fail as a disk does. Any other error fails it too.
var (
	ErrNoSpace    = errors.New("no space left on the disk")
	ErrSyncFailed = errors.New("the disk did not confirm that the data is durable")
)

// TornWrite, returned by an interceptor, lets the first Bytes bytes of a write reach the file and then fails it as a
// full disk does. Other operations it fails as a whole.
type TornWrite struct { //nolint:errname // an order to the disk before it is an error
	Bytes int
}

func (t TornWrite) Error() string { return "no space left on the disk in the middle of a write" }

// Unwrap makes a torn write an ErrNoSpace.
func (t TornWrite) Unwrap() error { return ErrNoSpace }

// tear returns how many bytes err lets through.
func tear(err error) (int, error) {
	var torn TornWrite
	if errors.As(err, &torn) {
		return torn.Bytes, err
	}
	return 0, err
}
