package export

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"evalctl/eval"
	"evalctl/eval/metric"
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
	return write(w, "badge", drawBadge(oneLine(label, maxBadgeText), oneLine(value, maxBadgeText), color))
}

func badge(s eval.Summary) (label, value, color string) {
	label = "evalctl"
	if len(s.Suites) == 1 {
		label = cmp.Or(s.Suites[0].Name, label)
	}
	switch n := finding.CountGates(s.Gates); {
	case s.Shard != nil:
		return label, s.Shard.Describe(), badgeGrey
	case s.Partial:
		return label, "did not end", badgeRed
	case n[finding.GateFailed] > 0:
		return label, gatesText(n), badgeRed
	case n[finding.GateUndecided] > 0:
		return label, gatesText(n), badgeAmber
	case n[finding.GatePassed] > 0:
		return label, gatesText(n), badgeGreen
	case len(s.Suites) == 0:
		return label, "nothing ran", badgeRed
	case len(s.Suites) > 1:
		return label, metric.Plural(int64(len(s.Suites)), "suite"), badgeGrey
	}
	best := finding.RankedByAccuracy(s.Suites[0])
	if len(best) == 0 {
		return label, "no accuracy", badgeGrey
	}
	e := best[0].Metrics["route.accuracy"]
	return label, metric.FormatShare(*e.Value) + " of " + metric.Plural(cmp.Or(e.Cases, e.N), "case") +
			", " + best[0].Variant,
		badgeBlue
}

// Sizes of a badge: the maximum length of each text in characters, the rest in pixels.
const (
	maxBadgeText = 60
	badgeHeight  = 20
	badgePadding = 6 // on each side of a text
)

// drawBadge returns an SVG image of two texts side by side, the second one on the color.
func drawBadge(label, value, color string) []byte {
	leftWidth, rightWidth := widthOf(label), widthOf(value)
	split := leftWidth + 2*badgePadding
	width := split + rightWidth + 2*badgePadding
	label, value = escapeXML(label), escapeXML(value)
	title := label + ": " + value
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" role="img" aria-label="%s">`,
		width, badgeHeight, title)
	fmt.Fprintf(&b, `<title>%s</title>`, title)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="3" fill="%s"/>`, width, badgeHeight, badgeLabel)
	fmt.Fprintf(&b, `<path d="M%d 0h%da3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-%dz" fill="%s"/>`, split, width-split-3,
		width-split-3, color)
	b.WriteString(`<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`)
	fmt.Fprintf(&b, `<text x="%d" y="14" textLength="%d">%s</text>`, badgePadding, leftWidth, label)
	fmt.Fprintf(&b, `<text x="%d" y="14" textLength="%d">%s</text>`, split+badgePadding, rightWidth, value)
	b.WriteString("</g></svg>\n")
	return b.Bytes()
}

func escapeXML(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a strings.Builder returns no error
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
