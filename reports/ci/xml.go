package ci

import (
	"bytes"
	"strings"
)

func attribute(out *bytes.Buffer, name, value string) {
	out.WriteByte(' ')
	out.WriteString(name)
	out.WriteString(`="`)
	out.WriteString(escapeXML(oneLine(value, longText)))
	out.WriteByte('"')
}

// escapeXML escapes a text for use in XML attributes and elements. It also escapes >, so that the
// text cannot contain ]]>.
func escapeXML(text string) string { return xmlSigns.Replace(text) }

var xmlSigns = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")
