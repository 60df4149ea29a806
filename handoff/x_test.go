package handoff
import ("testing"; "github.com/secure-systems-lab/go-securesystemslib/dsse"; "github.com/adrg/xdg"; "pgregory.net/rapid")
func TestX(t *testing.T){ _ = dsse.PAE; _ = xdg.ConfigHome; rapid.Check(t, func(*rapid.T){})}
