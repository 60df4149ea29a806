package lang_test

import (
	"testing"

	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/grader"
)

func TestChoose(t *testing.T) {
	for name, c := range map[string]struct {
		flag string
		env  map[string]string
		want lang.Language
	}{
		"Nothing":      {want: lang.English},
		"Flag":         {flag: "pt-BR", want: lang.Portuguese},
		"FlagShort":    {flag: "pt", want: lang.Portuguese},
		"FlagLocale":   {flag: "pt_BR.UTF-8", want: lang.Portuguese},
		"FlagWins":     {flag: "en", env: map[string]string{"LANG": "pt_BR.UTF-8"}, want: lang.English},
		"LANG":         {env: map[string]string{"LANG": "pt_BR.UTF-8"}, want: lang.Portuguese},
		"LC_ALL":       {env: map[string]string{"LC_ALL": "C", "LANG": "pt_BR.UTF-8"}, want: lang.English},
		"LC_MESSAGES":  {env: map[string]string{"LC_MESSAGES": "pt_PT@euro", "LANG": "en_US"}, want: lang.Portuguese},
		"AnotherOne":   {env: map[string]string{"LANG": "de_DE.UTF-8"}, want: lang.English},
		"NoLocale":     {env: map[string]string{"LANG": "C.UTF-8"}, want: lang.English},
		"LikePt":       {env: map[string]string{"LANG": "ptolemaic"}, want: lang.English},
		"OtherCase":    {flag: "PT-br", want: lang.Portuguese},
		"EnglishPlace": {flag: "en-GB", want: lang.English},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := lang.Choose(c.flag, func(key string) string { return c.env[key] })
			if err != nil || got != c.want {
				t.Errorf("got %q, %v; want %q", got, err, c.want)
			}
		})
	}
	if lang.Portuguese.Missing("pt-BR") != "" || lang.English.Missing("en") != "" || lang.Portuguese.Missing("en") == "" {
		t.Error("what is missing in a language is said wrong")
	}
	_, err := lang.Choose("de", func(string) string { return "" })
	if e := grader.AsError(err); err == nil || e.Code != "unknown_language" || e.Exit != grader.ExitUsage {
		t.Errorf("an unknown language: %v", err)
	}
}
