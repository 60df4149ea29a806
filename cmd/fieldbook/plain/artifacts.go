package plain

import (
	"fmt"

	"fieldbook/cmd/fieldbook/scenario"
)

// artifacts says what scenarios have left in one of their folders.
func (m *mode) artifacts() error {
	folders, err := m.Session.Bench.ScenarioFolders()
	if err != nil {
		return err
	}
	if len(folders) == 0 {
		m.say("No scenario has left anything yet. In a second terminal: fieldbook scenario happy")
		return nil
	}
	for i, folder := range folders {
		m.item(fmt.Sprintf("%3d  ", i+1), "%s", folder)
	}
	n, ok, err := m.pick("Number of a folder, or Enter to leave it:", len(folders))
	if err != nil || !ok {
		return err
	}
	shown, err := m.Session.Bench.ShowFolder(folders[n-1])
	if err != nil {
		m.fails(err)
		return nil
	}
	for _, line := range scenario.Tell(m.theme(), shown, m.Width) {
		fmt.Fprintln(m.Out, line)
	}
	return nil
}
