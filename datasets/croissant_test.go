package datasets_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
)

// The metadata follows https://docs.mlcommons.org/croissant/docs/croissant-spec.html, version 1.0.
const (
	croissant = "http://mlcommons.org/croissant/1.0"
	// placeholder for the host, as elsewhere in the repository
	repository = "https://github.com/you/evalctl"
	published  = "2026-11-23" // date of version 2.0.0 of the datasets
)

// croissantContext is the JSON-LD context that the specification recommends.
const croissantContext = `{
  "@language": "en",
  "@vocab": "https://schema.org/",
  "citeAs": "cr:citeAs",
  "column": "cr:column",
  "conformsTo": "dct:conformsTo",
  "cr": "http://mlcommons.org/croissant/",
  "data": {"@id": "cr:data", "@type": "@json"},
  "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
  "dct": "http://purl.org/dc/terms/",
  "examples": {"@id": "cr:examples", "@type": "@json"},
  "extract": "cr:extract",
  "field": "cr:field",
  "fileObject": "cr:fileObject",
  "fileProperty": "cr:fileProperty",
  "fileSet": "cr:fileSet",
  "format": "cr:format",
  "includes": "cr:includes",
  "isLiveDataset": "cr:isLiveDataset",
  "jsonPath": "cr:jsonPath",
  "key": "cr:key",
  "md5": "cr:md5",
  "parentField": "cr:parentField",
  "path": "cr:path",
  "recordSet": "cr:recordSet",
  "references": "cr:references",
  "regex": "cr:regex",
  "repeated": "cr:repeated",
  "replace": "cr:replace",
  "sc": "https://schema.org/",
  "separator": "cr:separator",
  "source": "cr:source",
  "subField": "cr:subField",
  "transform": "cr:transform"
}`

type metadata struct {
	Context       json.RawMessage `json:"@context"`
	Type          string          `json:"@type"`
	Name          string          `json:"name"`
	Description   string          `json:"description"`
	ConformsTo    string          `json:"conformsTo"`
	CiteAs        string          `json:"citeAs"`
	License       string          `json:"license"`
	URL           string          `json:"url"`
	Version       string          `json:"version"`
	DatePublished string          `json:"datePublished"`
	Creator       creator         `json:"creator"`
	InLanguage    []string        `json:"inLanguage"`
	Keywords      []string        `json:"keywords"`
	Distribution  []fileObject    `json:"distribution"`
	RecordSet     []recordSet     `json:"recordSet"`
}

type creator struct {
	Type string `json:"@type"`
	Name string `json:"name"`
}

type fileObject struct {
	Type           string `json:"@type"`
	ID             string `json:"@id"`
	Name           string `json:"name"`
	Description    string `json:"description"`
	ContentURL     string `json:"contentUrl"`
	ContentSize    string `json:"contentSize"`
	EncodingFormat string `json:"encodingFormat"`
	SHA256         string `json:"sha256"`
}

type reference struct {
	ID string `json:"@id"`
}

type recordSet struct {
	Type        string    `json:"@type"`
	ID          string    `json:"@id"`
	Name        string    `json:"name"`
	Description string    `json:"description"`
	Key         reference `json:"key"`
	Field       []field   `json:"field"`
}

type field struct {
	Type        string  `json:"@type"`
	ID          string  `json:"@id"`
	Name        string  `json:"name"`
	Description string  `json:"description"`
	DataType    string  `json:"dataType,omitempty"` // "" for a field that has subfields
	Repeated    bool    `json:"repeated,omitempty"`
	Source      *source `json:"source,omitempty"`
	SubField    []field `json:"subField,omitempty"`
}

type source struct {
	FileObject reference  `json:"fileObject"`
	Extract    extract    `json:"extract"`
	Transform  *transform `json:"transform,omitempty"`
}

type extract struct {
	Column string `json:"column"`
}

type transform struct {
	JSONPath string `json:"jsonPath"`
}

// caseFields describes the fields of a case, in the order of the metadata.
var caseFields = []field{
	{Name: "id", Description: "Unique id of the case.", DataType: "sc:Text"},
	{Name: "now", Description: "Time of the conversation.", DataType: "sc:DateTime"},
	{Name: "text", Description: "User message.", DataType: "sc:Text"},
	{Name: "label", Description: "Expected label. A list accepts any of its labels.", DataType: "sc:Text"},
	{Name: "lang", Description: "Language of the message.", DataType: "sc:Text"},
	{Name: "input", Description: "User turn."},
	{Name: "expect", Description: "Expected results of the turn."},
	{Name: "turns", Description: "Turns of a multi-turn case.", Repeated: true},
	{Name: "tags", Description: "Tags.", DataType: "sc:Text", Repeated: true},
	{Name: "split", Description: "train, dev or test.", DataType: "sc:Text"},
}

// describe returns the Croissant metadata of a built-in dataset, computed from its card and its
// files.
func describe(name string) metadata {
	GinkgoHelper()
	card, err := datasets.DatasetCard(name)
	Expect(err).NotTo(HaveOccurred())
	head := regexp.MustCompile(`^# ` + name + `: (.+)\n\nVersion: (\d+\.\d+\.\d+)`).FindStringSubmatch(card)
	Expect(head).To(HaveLen(3), "the title and the version of the card")
	d := shipped(name)
	of := schemaOf(name)
	m := metadata{
		Context: json.RawMessage(croissantContext), Type: "sc:Dataset", Name: "evalctl-" + name, ConformsTo: croissant,
		Description: fmt.Sprintf(
			"%s%s. %d cases in Chinese and English, with train, dev and test splits. Field %s holds the label.",
			strings.ToUpper(head[1][:1]), head[1][1:], d.Cases, of.LabelField),
		License: "https://spdx.org/licenses/Apache-2.0.html", URL: repository + "/tree/main/datasets/" + name,
		Version: head[2], DatePublished: published,
		Creator: creator{Type: "sc:Organization", Name: "The evalctl authors"},
		CiteAs: fmt.Sprintf(
			"@misc{evalctl_%s, title={evalctl dataset %s, version %s}, author={The evalctl authors}, year={%s}}", name,
			name, head[2], published[:4]),
		InLanguage: []string{"zh", "en"}, Keywords: []string{"LLM agents", "evaluation", "routing", name},
	}
	files, err := filepath.Glob(filepath.Join(name, "*.jsonl"))
	Expect(err).NotTo(HaveOccurred())
	for _, path := range files {
		text, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		sum := sha256.Sum256(text)
		file := filepath.Base(path)
		n, names := members(text)
		m.Distribution = append(m.Distribution, fileObject{
			Type: "cr:FileObject", ID: file, Name: file,
			Description: fmt.Sprintf("%d cases, one JSON object per line.", n), ContentURL: file,
			ContentSize: fmt.Sprintf("%d B", len(text)), EncodingFormat: "application/jsonlines",
			SHA256: hex.EncodeToString(sum[:]),
		})
		set := strings.TrimSuffix(file, ".jsonl")
		r := recordSet{Type: "cr:RecordSet", ID: set, Name: set,
			Description: fmt.Sprintf("The %d cases of %s.", n, file), Key: reference{ID: set + "/id"}}
		for _, f := range caseFields {
			if !names[f.Name] {
				continue
			}
			f.Type, f.ID = "cr:Field", set+"/"+f.Name
			from := source{FileObject: reference{ID: file}, Extract: extract{Column: f.Name}}
			if f.DataType != "" {
				f.Source = &from
				r.Field = append(r.Field, f)
				continue
			}
			plain, objects := nested(text, f.Name)
			for _, path := range plain {
				of := from
				of.Transform = &transform{JSONPath: "$." + path}
				f.SubField = append(f.SubField,
					field{Type: "cr:Field", ID: f.ID + "/" + path, Name: path,
						Description: "Field " + path + " of " + f.Name + ".",
						DataType:    "sc:Text", Source: &of})
			}
			if len(objects) > 0 {
				f.Description += " Objects in it, which the card explains: " + strings.Join(objects, ", ") + "."
			}
			r.Field = append(r.Field, f)
		}
		m.RecordSet = append(m.RecordSet, r)
	}
	return m
}

// nested returns the paths of the values in an object field of all lines. plain are the paths of
// texts, numbers and lists of them, objects those of objects. Paths in turns start with input or
// expect.
func nested(text []byte, name string) (plain, objects []string) {
	GinkgoHelper()
	holdsObject := map[string]bool{}
	add := func(prefix string, raw json.RawMessage) {
		var fields map[string]json.RawMessage
		Expect(json.Unmarshal(raw, &fields)).To(Succeed())
		for key, value := range fields {
			holdsObject[prefix+key] = holdsObject[prefix+key] || value[0] == '{' || bytes.HasPrefix(value, []byte("[{"))
		}
	}
	for line := range bytes.Lines(text) {
		var c map[string]json.RawMessage
		Expect(json.Unmarshal(line, &c)).To(Succeed())
		if c[name] == nil {
			continue
		}
		if name != "turns" {
			add("", c[name])
			continue
		}
		var turns []map[string]json.RawMessage
		Expect(json.Unmarshal(c[name], &turns)).To(Succeed())
		for _, t := range turns {
			for part, value := range t {
				add(part+".", value)
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(holdsObject)) {
		if holdsObject[path] {
			objects = append(objects, path)
		} else {
			plain = append(plain, path)
		}
	}
	return plain, objects
}

// members returns the number of lines of a file, and the names of all fields in them.
func members(text []byte) (n int, names map[string]bool) {
	GinkgoHelper()
	names = map[string]bool{}
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var fields map[string]json.RawMessage
		Expect(json.Unmarshal(line, &fields)).To(Succeed())
		for name := range fields {
			names[name] = true
		}
		n++
	}
	return n, names
}

var _ = Describe("28.3: the Croissant metadata of a built-in dataset", func() {
	each := func() (entries []TableEntry) {
		for _, name := range datasets.BuiltInNames() {
			entries = append(entries, Entry(nil, name))
		}
		return entries
	}

	DescribeTable("match the dataset's card and files", func(name string) {
		want, err := json.MarshalIndent(describe(name), "", "  ")
		Expect(err).NotTo(HaveOccurred())
		path := filepath.Join(name, "metadata.json")
		if *update {
			Expect(os.WriteFile(path, append(want, '\n'), 0o644)).To(Succeed())
			return
		}
		got, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(got)).To(Equal(string(want)+"\n"), "run go test ./datasets -update")
	}, each())

	DescribeTable("contain everything that the specification requires, and describe each file and each field once",
		func(set string) {
			name := set
			text, err := os.ReadFile(filepath.Join(name, "metadata.json"))
			Expect(err).NotTo(HaveOccurred())
			var raw map[string]any
			Expect(json.Unmarshal(text, &raw)).To(Succeed())
			for _, required := range []string{"@context", "@type", "name", "description", "conformsTo",
				"license", "url",
				"creator", "datePublished", "distribution", "version"} {
				Expect(raw).To(HaveKeyWithValue(required, Not(BeEmpty())))
			}
			Expect(raw).To(HaveKeyWithValue("@type", "sc:Dataset"))
			Expect(raw).To(HaveKeyWithValue("conformsTo", HavePrefix("http://mlcommons.org/croissant/1.")))

			var m metadata
			Expect(json.Unmarshal(text, &m)).To(Succeed())
			ids := map[string]bool{}
			unique := func(id string) {
				Expect(ids).NotTo(HaveKey(id))
				ids[id] = true
			}
			files, total := map[string]map[string]bool{}, int64(0)
			for _, f := range m.Distribution {
				unique(f.ID)
				text, err := os.ReadFile(filepath.Join(name, f.ContentURL))
				Expect(err).NotTo(HaveOccurred())
				Expect(f.SHA256).To(Equal(fmt.Sprintf("%x", sha256.Sum256(text))))
				Expect(f.ContentSize).To(Equal(fmt.Sprintf("%d B", len(text))))
				n, names := members(text)
				Expect(f.Description).To(HavePrefix(fmt.Sprintf("%d cases", n)))
				files[f.ID], total = names, total+int64(n)
			}
			shippedFiles, err := filepath.Glob(filepath.Join(name, "*.jsonl"))
			Expect(err).NotTo(HaveOccurred())
			Expect(m.Distribution).To(HaveLen(len(shippedFiles)))
			Expect(total).To(Equal(shipped(name).Cases))
			Expect(m.Description).To(ContainSubstring(fmt.Sprintf(" %d cases ", total)))
			for _, r := range m.RecordSet {
				unique(r.ID)
				described := map[string]bool{}
				var of string
				for _, f := range r.Field {
					unique(f.ID)
					described[f.Name] = true
					if len(f.SubField) == 0 {
						of = f.Source.FileObject.ID
						Expect(f.DataType).To(BeElementOf("sc:Text", "sc:DateTime"))
						Expect(f.Source.Extract.Column).To(Equal(f.Name))
					}
					for _, s := range f.SubField {
						unique(s.ID)
						Expect(s.ID).To(Equal(f.ID + "/" + s.Name))
						Expect(s.Source.Extract.Column).To(Equal(f.Name))
						Expect(s.Source.Transform.JSONPath).To(Equal("$." + s.Name))
						part, name, found := strings.Cut(s.Name, ".")
						if !found {
							part, name = f.Name, s.Name
						}
						if part == "expect" {
							_, err := schemaOf(set).
								ParseCase([]byte(`{"id":"a","input":{"text":"x"},"expect":{"` + name + `":null}}`))
							Expect(err).NotTo(MatchError(ContainSubstring("unknown field")),
								"%s is not a field of a case", s.Name)
						}
					}
				}
				Expect(slices.Sorted(maps.Keys(described))).To(Equal(slices.Sorted(maps.Keys(files[of]))),
					"the fields of %s", of)
				Expect(r.Key.ID).To(Equal(r.ID + "/id"))
			}
			Expect(m.RecordSet).To(HaveLen(len(m.Distribution)))
		}, each())

	DescribeTable("name the license that the repository and the dataset card state", func(name string) {
		license, err := os.ReadFile("../LICENSE")
		Expect(err).NotTo(HaveOccurred())
		Expect(string(license)).To(And(ContainSubstring("Apache License"), ContainSubstring("Version 2.0")))
		card, err := datasets.DatasetCard(name)
		Expect(err).NotTo(HaveOccurred())
		Expect(card).To(MatchRegexp(`(?m)^Version: \d+\.\d+\.\d+ · License: Apache-2\.0 · Origin: `))
	}, each())
})
