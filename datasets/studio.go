package datasets

import (
	"fmt"
	"maps"
	"slices"

	v2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent/jsonerror"
)

// Studio is the schema of the image studio's cases.
func Studio(fault func(string) error) Schema {
	return Schema{
		Target:   "studio",
		Label:    "action",
		Labels:   []string{"generate_image", "inpainting", "adjust_parameters", "unknown"},
		Outcomes: []string{"failed", "busy"},
		Fault:    fault,
		Blank:    true,
		Aspects:  map[string]aspect{"slots": slots, "styles": styles, "pictures": labelledPictures},
	}
}

// slots are the values that the decision is to name: each a word or a list of
// accepted ones, "" alone for none.
func slots(raw jsontext.Value) error {
	fields, err := members(raw)
	if err != nil {
		return err
	}
	if len(fields) == 0 {
		return wrong("", "is empty")
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if name != "subject" && name != "style" {
			return wrong(plain(name), "unknown slot (known: subject, style)")
		}
		if err := accepted(fields[name]); err != nil {
			return within(name, err)
		}
	}
	return nil
}

func accepted(raw jsontext.Value) error {
	switch raw.Kind() {
	case '"':
		return nil
	case '[':
		words, err := texts(raw)
		if err == nil && len(words) == 0 {
			err = wrong("", "is an empty list")
		}
		return err
	}
	return wrong("", "wants a word or a list of words, has %s", jsonerror.KindName(raw.Kind()))
}

// styles are the ids of entries to be found; an empty list: nothing is.
func styles(raw jsontext.Value) error {
	if raw.Kind() != '[' {
		return wrong("", "wants a list of style ids, has %s", jsonerror.KindName(raw.Kind()))
	}
	_, err := texts(raw)
	return err
}

// texts reads a list of strings, none of them empty or twice.
func texts(raw jsontext.Value) ([]string, error) {
	var list []string
	if err := v2.Unmarshal(raw, &list); err != nil {
		return nil, explain(err)
	}
	for i, one := range list {
		switch at := fmt.Sprintf("[%d]", i); {
		case one == "":
			return nil, wrong(at, "is empty")
		case slices.Contains(list[:i], one):
			return nil, wrong(at, "%s is given twice", plain(one))
		}
	}
	return list, nil
}

// labelledPictures say of each attempt what it shows and how good it is.
func labelledPictures(raw jsontext.Value) error {
	if raw.Kind() != '[' {
		return wrong("", "wants a list of pictures, has %s", jsonerror.KindName(raw.Kind()))
	}
	var list []struct {
		Shows   string   `json:"shows"`
		Quality *float64 `json:"quality"`
		Good    *bool    `json:"good"`
	}
	if err := v2.Unmarshal(raw, &list, v2.RejectUnknownMembers(true)); err != nil {
		return explain(err)
	}
	if len(list) == 0 {
		return wrong("", "is an empty list")
	}
	for i, p := range list {
		switch at := fmt.Sprintf("[%d]", i); {
		case p.Shows == "":
			return wrong(at+".shows", "is missing")
		case p.Quality == nil:
			return wrong(at+".quality", "is missing")
		case !(*p.Quality >= 0 && *p.Quality <= 1):
			return wrong(at+".quality", "%v is not in 0..1", *p.Quality)
		case p.Good == nil:
			return wrong(at+".good", "is missing")
		}
	}
	return nil
}
