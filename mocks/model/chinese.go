package model

// IsChinese reports whether a text contains at least one Chinese character.
func IsChinese(s string) bool {
	for _, r := range s {
		if r >= 0x4e00 && r <= 0x9fff {
			return true
		}
	}
	return false
}
