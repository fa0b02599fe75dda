package ci

import (
	"bytes"
	"strings"
)

// attribute adds ` name="value"`, where the value is one harmless line.
func attribute(out *bytes.Buffer, name, value string) {
	out.WriteByte(' ')
	out.WriteString(name)
	out.WriteString(`="`)
	out.WriteString(escapeXML(oneLine(value, longText)))
	out.WriteByte('"')
}

// escapeXML keeps a text from being taken for markup, in an attribute and between
// tags. With no > left there is no ]]> either.
func escapeXML(text string) string { return xmlSigns.Replace(text) }

var xmlSigns = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")
