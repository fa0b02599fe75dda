package play

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/goccy/go-yaml"

	"evalctl/agent/secret"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
)

func (p *Plan) manifest(version string, args []string) (journal.Manifest, error) {
	m := journal.Manifest{
		Version:        version,
		Toolchain:      runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
		Status:         journal.StatusRunning,
		Started:        time.Now(),
		Gates:          p.gates.Rules,
		Seed:           p.seed,
		Clock:          p.time(),
		CassetteMode:   p.cassetteMode,
		SettingsHashes: map[string]string{},
		Traces:         p.traces,
	}
	if p.budget != (Budget{}) {
		m.Budget = &p.budget
	}
	if !p.shard.IsWhole() {
		m.Shard = &p.shard
	}
	var err error
	if m.Baseline, err = p.gates.absolute(); err != nil {
		return m, err
	}
	if own := p.ownPrices; own != nil {
		path, err := filepath.Abs(own.Path)
		if err != nil {
			return m, err
		}
		m.Prices = journal.PricesInfo{Path: p.secrets.Redact(path), Hash: own.Hash}
	}
	for _, one := range p.suites {
		for _, model := range modelPrices(one.suite) {
			if m.Prices.Models == nil {
				m.Prices.Models = map[string]string{}
			}
			m.Prices.Models[p.secrets.Redact(model.Model)] = cmp.Or(model.Price, "no price")
		}
	}
	for _, arg := range maskLine(args) {
		m.Args = append(m.Args, p.secrets.Redact(arg))
	}
	for _, one := range p.suites {
		s, err := absolute(one.suite)
		if err != nil {
			return m, err
		}
		s = p.remotePaths.toCoordinator(s)
		text, err := yaml.MarshalWithOptions(withoutSecrets(s), yaml.JSON(), yaml.OmitZero())
		if err != nil {
			return m, fmt.Errorf("encode suite %s: %w", s.Name, err)
		}
		m.Suites = append(m.Suites, p.secrets.RedactJSON(text))
		m.Datasets = append(m.Datasets, journal.DatasetInfo{Name: s.Dataset, Hash: one.data.Hash, Cases: one.cases})
		m.Prompts = append(m.Prompts, p.promptNotes(one)...)
		for _, c := range one.conditions {
			m.SettingsHashes[p.secrets.Redact(c.Suite+"/"+c.Variant)] = c.SettingsHash
		}
	}
	return m.WithHash()
}

// promptNotes lists the prompts of a suite's variants.
func (p *Plan) promptNotes(one suitePlan) (notes []journal.PromptInfo) {
	for _, v := range one.suite.Variants {
		i := slices.IndexFunc(one.conditions, func(c *eval.Condition) bool { return c.Variant == v.Name })
		if i < 0 {
			continue
		}
		prompts := one.conditions[i].Prompts
		for _, setting := range slices.Sorted(maps.Keys(prompts)) {
			note := journal.PromptInfo{
				Suite:   one.suite.Name,
				Variant: v.Name,
				Setting: setting,
				ID:      eval.PromptID(prompts[setting]),
			}
			set, _ := one.suite.SystemOf(v).Setting(setting)
			if path := v.Settings[setting]; path != "" && set.IsFile {
				note.File = p.secrets.Redact(filepath.Base(path))
			}
			notes = append(notes, note)
		}
	}
	return notes
}

// promptTexts returns the texts of the prompts of all variants, by ID and without secrets.
func (p *Plan) promptTexts() map[string]string {
	texts := map[string]string{}
	for _, one := range p.suites {
		for _, c := range one.conditions {
			for _, text := range c.PromptTexts() {
				texts[eval.PromptID(text)] = secret.Mask(p.secrets.Redact(text))
			}
		}
	}
	return texts
}

// maskLine removes secrets from a command line of evalctl. It treats the words after -- as the
// command line of another program.
func maskLine(args []string) []string {
	at := slices.Index(args, "--")
	if at < 0 {
		at = len(args)
	}
	masked := secret.MaskArgs(args[at:])
	for i := at - 1; i >= 0; i-- {
		masked = slices.Insert(masked, 0, secret.Mask(args[i]))
	}
	return masked
}

// absolute returns the suite with an absolute dataset path. Other paths are absolute already.
func absolute(s suite.Suite) (suite.Suite, error) {
	if slices.Contains(datasets.BuiltInNames(), s.Dataset) {
		return s, nil
	}
	var err error
	s.Dataset, err = filepath.Abs(s.Dataset)
	return s, err
}

func (p *Plan) paths() (list []string) {
	for _, one := range p.suites {
		s, err := absolute(one.suite)
		if err != nil {
			continue // manifest reports this error
		}
		s.MapPaths(hasDatasetFile(s), func(path string) string {
			if !slices.Contains(list, path) {
				list = append(list, path)
			}
			return path
		})
	}
	return list
}

// ReadFinishedRun reads the manifest and the suites of the run in dir. It returns an error if the
// run has not finished. outside provides the URLs that are redacted in the manifest.
func ReadFinishedRun(dir string, outside EndpointOptions) (m journal.Manifest, suites []suite.Suite, err error) {
	if m, err = journal.ReadManifest(dir); err != nil {
		return m, nil, err
	}
	if m.Status != journal.StatusDone {
		return m, nil, fmt.Errorf("the run in %s did not end: first continue with evalctl run --resume %s", dir, dir)
	}
	if suites, err = ManifestSuites(m, dir); err == nil {
		err = outside.restore(suites)
	}
	return m, suites, err
}

// ManifestSuites parses the suites that a manifest contains. dir is the run directory, for error
// messages.
func ManifestSuites(m journal.Manifest, dir string) (list []suite.Suite, err error) {
	for _, text := range m.Suites {
		s, err := suite.Parse(filepath.Join(dir, journal.ManifestFile), text)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}
