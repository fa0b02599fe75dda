package figure

import "html/template"

// sign is a color with its meaning.
type sign struct {
	Class string
	Text  string
	Line  bool // drawn as a hatched line
}

func legend(signs ...sign) template.HTML { return fragment("legend", signs) }
