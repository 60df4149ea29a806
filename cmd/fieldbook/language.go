package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fieldbook/cmd/fieldbook/lang"
)

// chooseLanguage chooses the language of texts for the people who read them. What scripts read, JSON and the lines that a
// specification names, is English in every language.
func (p *program) chooseLanguage() error {
	language, err := lang.Choose(p.flags.lang, p.getenv)
	if err != nil {
		return err
	}
	p.speak(language)
	return nil
}

// guessLanguage chooses a language before the command line is understood: whoever mistypes a flag is told so in theirs.
func (p *program) guessLanguage(args []string) {
	asked := ""
	for i, arg := range args {
		if value, ok := strings.CutPrefix(arg, "--lang="); ok {
			asked = value
		} else if arg == "--lang" && i+1 < len(args) {
			asked = args[i+1]
		}
	}
	language, err := lang.Choose(asked, p.getenv)
	if err != nil {
		language = lang.English // the command says what is wrong with it
	}
	p.speak(language)
}

func (p *program) speak(language lang.Language) {
	if p.language != language {
		p.language, p.texts = language, lang.TextsIn(language)
	}
}

// helpIn puts a command's help into the language: its own texts, its flags' and the frame that cobra gives.
func (p *program) helpIn(cmd *cobra.Command) {
	if p.texts.Language() == lang.English {
		return
	}
	cmd.SetUsageTemplate(strings.NewReplacer(
		"Usage:", p.texts.Say("Usage:"),
		"Available Commands:", p.texts.Say("Available Commands:"),
		"Global Flags:", p.texts.Say("Global Flags:"),
		"Flags:", p.texts.Say("Flags:"),
		`Use "{{.CommandPath}} [command] --help" for more information about a command.`,
		p.texts.Say(`Use "%s" for more information about a command.`, "{{.CommandPath}} [command] --help"),
	).Replace(cmd.UsageTemplate()))
	for _, c := range append(cmd.Commands(), cmd) {
		c.Short = p.texts.Format(c.Short)
	}
	cmd.InitDefaultHelpFlag()
	if help := cmd.Flags().Lookup("help"); help != nil {
		help.Usage = p.texts.Say("help for %s", cmd.Name())
	}
	translate := func(f *pflag.Flag) { f.Usage = p.texts.Format(f.Usage) }
	cmd.Flags().VisitAll(translate)
	cmd.InheritedFlags().VisitAll(translate)
}
