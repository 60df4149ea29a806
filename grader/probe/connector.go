package probe

import (
	"context"
	"database/sql/driver"

	"modernc.org/sqlite"
)

// connector opens connections of one address by a driver value of our own, so that no option registered for the runtime's
// databases (its logging file system, above all) reaches the parent's reading.
type connector struct {
	driver *sqlite.Driver
	name   string
}

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.name) }

func (c connector) Driver() driver.Driver { return c.driver }
