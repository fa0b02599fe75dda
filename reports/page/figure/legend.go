package figure

import "html/template"

// sign is a colour and what it stands for.
type sign struct {
	Class string
	Text  string
	Line  bool // it is drawn as one, hatched
}

func legend(signs ...sign) template.HTML { return fragment("legend", signs) }
