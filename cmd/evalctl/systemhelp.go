package main

import (
	"fmt"
	"strings"

	"evalctl/agent/system"
	"evalctl/docs"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

// helpPage returns the help page of a guide or system. The page of a system ends with a table of
// its settings.
func helpPage(name string) (text string, ok bool) {
	page, ok := docs.Find(name)
	of, isSystem := suite.FindSystem(name)
	if !isSystem {
		return page.Text, ok
	}
	if !ok {
		page.Text = fmt.Sprintf("# %s: %s\n", of.Name, strings.ReplaceAll(of.Summary, "\n", " "))
	}
	return page.Text + settingsTable(of), true
}

func settingsTable(of system.System) string {
	if len(of.Settings) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n## Settings\n\nEach is a flag of `run`, `chat` and `serve`, and a key of a variant in a suite file.\n\n| setting | meaning | default |\n|---|---|---|\n")
	for _, s := range of.Settings {
		meaning := strings.ReplaceAll(s.Help, "`", "")
		if s.Values != nil {
			meaning += ": " + suggest.JoinWords(s.Values)
		}
		defaultValue := s.Default
		if defaultValue == "" {
			defaultValue = "none"
		}
		fmt.Fprintf(&b, "| `--%s` | %s | %s |\n", s.Name, strings.ReplaceAll(meaning, "|", `\|`), defaultValue)
	}
	return b.String()
}
