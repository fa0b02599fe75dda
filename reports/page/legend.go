package page

import "html/template"

// legendItem is a color of a figure and its meaning.
type legendItem struct {
	Class string
	Text  string
	Line  bool // drawn as a hatched line
}

func legend(signs ...legendItem) template.HTML { return fragment("legend", signs) }
