package ci

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// Background colors of a badge, each dark enough for white text.
const (
	badgeGrey  = "#57606a"
	badgeGreen = "#1a7f37"
	badgeRed   = "#cf222e"
	badgeAmber = "#9a6700"
	badgeBlue  = "#0969da"
	badgeLabel = "#3d4248"
)

// WriteBadge writes a small SVG image for a README, without external resources. It shows how many
// gates passed. Without gates, it shows the most accurate variant and its accuracy or, for several
// suites, only their number.
func WriteBadge(w io.Writer, r Report) error {
	label, value, color := badge(r.Summary)
	return write(w, "badge", []byte(draw(shortName(label), shortName(value), color)))
}

func badge(s eval.Summary) (label, value, color string) {
	label = "evalctl"
	if len(s.Suites) == 1 {
		label = cmp.Or(s.Suites[0].Name, label)
	}
	switch t := tallyOf(s.Gates); {
	case s.Shard != nil:
		return label, s.Shard.Describe(), badgeGrey
	case s.Partial:
		return label, "did not end", badgeRed
	case t.failed > 0:
		return label, t.String(), badgeRed
	case t.undecided > 0:
		return label, t.String(), badgeAmber
	case t.passed > 0:
		return label, t.String(), badgeGreen
	case len(s.Suites) == 0:
		return label, "nothing ran", badgeRed
	case len(s.Suites) > 1:
		return label, number.Plural(int64(len(s.Suites)), "suite"), badgeGrey
	}
	best := finding.RankedByAccuracy(s.Suites[0])
	if len(best) == 0 {
		return label, "no accuracy", badgeGrey
	}
	e := best[0].Metrics["route.accuracy"]
	return label, number.Share(*e.Value) + " of " + number.Plural(cmp.Or(e.Cases, e.N), "case") +
			", " + best[0].Variant,
		badgeBlue
}

const maxBadgeText = 60

func shortName(text string) string { return oneLine(text, maxBadgeText) }

// Sizes of a badge in pixels.
const (
	badgeHeight  = 20
	badgePadding = 6 // on each side of a text
)

func draw(label, value, color string) string {
	left, right := widthOf(label), widthOf(value)
	split := left + 2*badgePadding
	all := split + right + 2*badgePadding
	title := escapeXML(label + ": " + value)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" role="img" aria-label="%s"><title>%s</title>`, all, badgeHeight, title, title)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="3" fill="%s"/>`, all, badgeHeight, badgeLabel)
	fmt.Fprintf(&b, `<path d="M%d 0h%da3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-%dz" fill="%s"/>`, split, all-split-3,
		all-split-3, color)
	b.WriteString(`<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`)
	for _, t := range []struct {
		at, width int
		text      string
	}{{badgePadding, left, label}, {split + badgePadding, right, value}} {
		fmt.Fprintf(&b, `<text x="%s" y="14" textLength="%d">%s</text>`, strconv.Itoa(t.at), t.width, escapeXML(t.text))
	}
	b.WriteString("</g></svg>\n")
	return b.String()
}

// widthOf estimates the width of a text in Verdana at 11 px. An estimate suffices, because the
// attribute textLength makes a browser stretch the text to this width.
func widthOf(text string) int {
	tenths := 0
	for c := (displaywidth.Options{}).StringGraphemes(text); c.Next(); {
		switch g := c.Value(); {
		case c.Width() == 2:
			tenths += 110
		case len(g) > 1:
			tenths += 70
		case strings.Contains("fijlrtI1 .,:;!|'()[]", g):
			tenths += 45
		case strings.Contains("mwMW%@", g):
			tenths += 105
		case g >= "A" && g <= "Z":
			tenths += 80
		default:
			tenths += 68
		}
	}
	return max((tenths+9)/10, 1)
}
