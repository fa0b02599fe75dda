package remote

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"evalctl/agent"
	"evalctl/agent/file"
	"evalctl/agent/foreign"
	"evalctl/agent/llm"
	"evalctl/agent/secret"
	"evalctl/agent/system"
)

// Values of the setting session-ids: whether conversation IDs are random or depend on the seed.
const (
	freshSessions  = "random"
	seededSessions = "seeded"
)

// System returns the target "http" with its settings, for the list of systems.
func System() system.System {
	return system.System{
		Name:    "http",
		Summary: "your agent over HTTP: evalctl help external-agents",
		Examples: []string{
			"run --target http --url http://127.0.0.1:8000/answer --dataset cases.jsonl",
			"chat http --url http://127.0.0.1:8000/answer --labels refund,delivery,other",
		},
		Contract:   foreign.Contract(),
		Components: []system.Component{foreign.Component(func(v system.SettingValues) string { return v["url"] })},
		Settings: slices.Concat([]system.Setting{
			{Name: "url", Help: "`URL` of the agent, which is sent the turns by POST; $VARIABLE is a value of the environment, which no output repeats", IsURL: true, AllowCommas: true, Check: checkURL},
			requestSetting(),
			{Name: "request-file", Help: "`FILE` with the request", IsFile: true, Check: checkTemplateFile,
				EnvVariables: variablesInFile},
			headerSetting(),
		}, foreign.PathSettings(), []system.Setting{
			foreign.PathSetting("chunk-path", "piece of its text, in an event of a stream",
				foreign.DefaultPaths().Chunk),
			foreign.PathSetting("id-path", "{{id}} of the request, which the answer is then held to", ""),
			{Name: "session-ids", Help: "`HOW` conversations that have no name are called: fresh ones in every run, or the same again, as is usual with --record, --replay and --cache",
				Values: []string{freshSessions, seededSessions}, Default: freshSessions,
				RecordingDefault: seededSessions},
			foreign.TimeoutSetting(),
			{Name: "retries", Help: "how often a request that failed is sent again, up to `N`",
				Default: strconv.Itoa(llm.DefaultRetries), Check: system.CheckInteger(0, llm.MaxRetries)},
		}),
		DecisionSources: []string{foreign.DecisionSource},
		Open:            open,
	}
}

func requestSetting() system.Setting {
	return system.Setting{
		Name: "request",
		Help: "`JSON` of the request, with places such as {{text}}, {{history}} and {{session}}; " +
			"$VARIABLE is a value of the environment, which no output repeats",
		AllowCommas:  true,
		Check:        checkTemplate,
		EnvVariables: variablesIn,
	}
}

// templateOf returns the request template that the user configured; nil for the default format.
func templateOf(o system.Options) (*foreign.Template, error) {
	text, path := o.SettingValues["request"], o.SettingValues["request-file"]
	switch {
	case text != "" && path != "":
		return nil, errors.New("request: goes without request-file")
	case path != "":
		raw, err := file.Read(path, foreign.MaxTemplateBytes)
		if err != nil {
			return nil, fmt.Errorf("request-file: %w", err)
		}
		text = string(raw)
	case text == "":
		return nil, nil
	}
	return foreign.NewTemplate(text, o.Labels)
}

// variablesIn returns the names of the environment variables that a request template refers to.
func variablesIn(text string) []string {
	t, err := foreign.NewTemplate(text, nil)
	if err != nil {
		return nil // the check of the template reports this error
	}
	return t.EnvVariables()
}

func variablesInFile(path string) []string {
	raw, err := file.Read(path, foreign.MaxTemplateBytes)
	if err != nil {
		return nil // reading the file at the start of a run reports this error
	}
	return variablesIn(string(raw))
}

func checkTemplate(text string) error {
	_, err := foreign.NewTemplate(text, nil)
	return err
}

func checkTemplateFile(path string) error {
	raw, err := file.Read(path, foreign.MaxTemplateBytes)
	if err == nil {
		err = checkTemplate(string(raw))
	}
	return err
}

// open validates the settings and prepares what all trials share: template, headers and labels.
func open(o system.Options) (system.LoadedVariant, error) {
	if o.SettingValues["url"] == "" {
		return system.LoadedVariant{}, errors.New("url: is missing: say where the agent is with --url URL")
	}
	template, err := templateOf(o)
	if err != nil {
		return system.LoadedVariant{}, err
	}
	secrets := &secret.Set{}
	if err := template.ExpandEnv(secrets); err != nil {
		return system.LoadedVariant{}, fmt.Errorf("request: %w", err)
	}
	header, err := headerOf(o.SettingValues["header"], secrets)
	if err != nil {
		return system.LoadedVariant{}, fmt.Errorf("header: %w", err)
	}
	retries := cmp.Or(int(o.Number("retries")), llm.NoRetries)
	labels, nodes := foreign.NewValidLabels(o.Labels, o.Aliases), &foreign.NodeNames{}
	version, err := system.Fingerprint([]any{o.Labels, template.String()})
	if err != nil {
		return system.LoadedVariant{}, err
	}
	return system.LoadedVariant{Version: version,
		NewAgent: func(seed uint64, link func(string) system.Endpoint) (agent.Agent, error) {
			l := link(foreign.Node)
			c, err := New(Config{
				URL:      l.BaseURL,
				Model:    l.Model,
				Header:   header,
				Template: template,
				Paths:    foreign.PathsFromSettings(o.SettingValues),
				HTTP:     l.HTTP,
				Timeout:  foreign.TimeoutFromSettings(o.SettingValues),
				Retries:  retries,
				Seed:     seed,
				Secrets:  secrets,
			})
			if err != nil {
				return nil, err
			}
			session := foreign.NewID()
			if o.SettingValues["session-ids"] == seededSessions {
				session = fmt.Sprintf("%016x", seed)
			}
			return &foreign.Agent{
				Transport: c,
				Labels:    labels,
				Session:   session,
				Nodes:     nodes,
				Secrets:   cmp.Or(l.Secrets, secrets),
			}, nil
		}}, nil
}

// headerOf parses the configured headers and inserts the values of environment variables, which are
// added to secrets.
func headerOf(value string, secrets *secret.Set) (http.Header, error) {
	header := http.Header{}
	for _, line := range headerSetting().Elements(value) {
		h, err := parseHeader(line.Text)
		if err != nil {
			return nil, err
		}
		filled, err := h.fill(secrets)
		if err != nil {
			return nil, err
		}
		header.Add(h.name, filled)
	}
	return header, nil
}
