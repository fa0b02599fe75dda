package datasets

import "embed"

//go:embed toolrouter/*.jsonl toolrouter/README.md studio/*.jsonl studio/README.md
var embedded embed.FS

// Shipped names the sets that evalctl ships.
func Shipped() []string { return []string{"toolrouter", "studio"} }

// Card is a shipped set's description: origin, counts, version, hash.
func Card(name string) (string, error) {
	b, err := embedded.ReadFile(name + "/README.md")
	return string(b), err
}
