package toolcaller

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"evalctl/agent/mcp"
	"evalctl/agent/system"
)

// toolsOf returns the tools that the model may call: one for each label except the no-tool label,
// those of the tools file and those of the MCP servers.
func toolsOf(o system.Options, cfg Config) ([]Tool, error) {
	for _, name := range []string{"tools", "mcp"} {
		if o.ToolsPerTurn && o.SettingValues[name] != "" {
			return nil, fmt.Errorf("%s: each case has tools of its own: leave out --%s", name, name)
		}
	}
	b := toolset{noToolLabel: cfg.NoToolLabel, index: map[string]int{}}
	for _, l := range o.Labels {
		if l.Name != cfg.NoToolLabel || cfg.ToolChoice == choiceRequired {
			b.add(Tool{Label: l.Name, Description: l.Description})
		}
	}
	if path := o.SettingValues["tools"]; path != "" {
		declared, err := readTools(path)
		if err == nil {
			err = b.addDeclared(declared)
		}
		if err != nil {
			return nil, fmt.Errorf("tools: %w", err)
		}
	}
	if value := o.SettingValues["mcp"]; value != "" {
		declared, err := serverTools(cmp.Or(o.Context, context.Background()), value)
		if err == nil {
			err = b.addDeclared(declared)
		}
		if err == nil {
			err = b.checkLabels(declared)
		}
		if err != nil {
			return nil, fmt.Errorf("mcp: %w", err)
		}
	}
	if len(b.list) == 0 && !cfg.ToolsPerTurn {
		return nil, errors.New("labels: there is no tool to call except the label for no tool")
	}
	return b.list, nil
}

type toolset struct {
	list        []Tool
	index       map[string]int // position in list by label
	noToolLabel string
}

func (b *toolset) add(t Tool) {
	b.index[t.Label] = len(b.list)
	b.list = append(b.list, t)
}

// addDeclared adds tools from a file or an MCP server. A tool with the name of a label defines the
// parameters of that label's tool. A description from --labels takes precedence over its own.
func (b *toolset) addDeclared(declared []Tool) error {
	for _, t := range declared {
		i, known := b.index[t.Label]
		switch {
		case t.Label == b.noToolLabel && !known:
			return fmt.Errorf("%.80q is the label for no tool, and the name of a tool", t.Label)
		case !known:
			b.add(t)
			continue
		case b.list[i].Description == "":
			b.list[i].Description = t.Description
		}
		b.list[i].Parameters = t.Parameters
	}
	return nil
}

// checkLabels returns an error if a label is not a tool of the MCP server. No answer to a case with
// this label could be correct.
func (b *toolset) checkLabels(declared []Tool) error {
	has := map[string]bool{b.noToolLabel: true}
	for _, t := range declared {
		has[t.Label] = true
	}
	for _, t := range b.list {
		if !has[t.Label] {
			return fmt.Errorf("label %.80q is not a tool of the server: name the label for no tool with --oos-label or --no-tool-label", t.Label)
		}
	}
	return nil
}

func serverTools(ctx context.Context, value string) (list []Tool, err error) {
	seen := map[string]bool{}
	for _, server := range mcpSetting().Elements(value) {
		tools, err := mcp.Config{}.ListTools(ctx, server.Text)
		if err != nil {
			return nil, err
		}
		for _, t := range tools {
			if seen[t.Name] {
				return nil, fmt.Errorf("there are two tools called %.80q", t.Name)
			}
			seen[t.Name] = true
			list = append(list, Tool{Label: t.Name, Description: t.Description, Parameters: t.Parameters})
		}
	}
	return list, nil
}
