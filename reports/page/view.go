package page

import (
	"html/template"
	"strings"

	"evalctl/reports/document"
)

// View is one view of a page, such as the overview of a suite. Readers see one view at a time;
// without a script they see all of them, one below the other.
type View struct {
	Address  string   // address within the page, such as "#overview"
	Name     string   // name in the navigation; "": only links lead to the view
	Title    string   // heading
	Facts    []string // what the numbers are based on, below the heading
	Warning  string   // limit of the data, such as simulated models, after the facts; "": none
	Sections []Section
}

// Section is a part of a view. Its columns are side by side where the page is wide enough.
type Section struct {
	Columns []Column
	Small   bool  // the columns are small multiples: equal charts of several conditions
	Tabs    []Tab // alternatives, instead of columns; readers see one at a time
}

// Tab is one of the alternatives of a section, such as the results of one variant. Its address
// selects it, which requires no script. The first tab is shown unless another one is selected.
type Tab struct {
	Address  string // address within the page, below the address of the view
	Name     string
	Note     string // short text after the name, such as the accuracy
	Sections []Section
}

// ID returns the id of the tab's element.
func (t Tab) ID() string { return strings.TrimPrefix(t.Address, "#") }

// Column is a column of a section.
type Column struct {
	Width  int // in twelfths of the page; 0: the whole page
	Blocks []document.Block
}

// FullWidth returns a section with one column.
func FullWidth(blocks ...document.Block) Section { return Section{Columns: []Column{{Blocks: blocks}}} }

// ID returns the id of the view's element.
func (v View) ID() string { return ElementID(v.Address) }

// ElementID returns the id of the element with an address.
func ElementID(address string) string { return strings.TrimPrefix(address, "#") }

// HTML renders the blocks of the column.
func (c Column) HTML() template.HTML { return document.HTML(c.Blocks) }

// Class returns the CSS class that sets the width of the column.
func (c Column) Class() string {
	switch c.Width {
	case 3:
		return "c3"
	case 5:
		return "c5"
	case 6:
		return "c6"
	case 7:
		return "c7"
	case 9:
		return "c9"
	}
	return "c12"
}
