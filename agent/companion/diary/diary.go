// Package diary is a companion's memory: a row for each day and agent, found by date
// and by the words that it holds, Chinese ones of a single character included, and the
// messages of which the days are made.
package diary

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"evalctl/agent/database"
	"evalctl/agent/fulltext"
)

// Bounds of what is kept, in bytes. A text is cut; a row is refused.
const (
	maxName    = 200
	maxContent = 100_000
	maxRow     = 64 << 10
)

// schema: a day's id is its agent's times 10^8 and its date as a number, so that ids
// in order are an agent's days in order, for the table as for the index.
var schema = database.Schema{ID: 0x64696172, Migrations: []string{`
	CREATE TABLE agents (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
	CREATE TABLE days (
		id INTEGER PRIMARY KEY,
		agent INTEGER NOT NULL REFERENCES agents,
		date TEXT NOT NULL,
		summary TEXT NOT NULL,
		topics TEXT NOT NULL,
		key_points TEXT NOT NULL,
		folded TEXT NOT NULL,
		UNIQUE (agent, date)
	) STRICT;
	CREATE VIRTUAL TABLE words USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize=ascii);
	CREATE TABLE messages (
		id INTEGER PRIMARY KEY,
		agent INTEGER NOT NULL REFERENCES agents,
		conversation TEXT NOT NULL,
		batch TEXT NOT NULL,
		position INTEGER NOT NULL,
		role TEXT NOT NULL,
		content TEXT NOT NULL,
		at TEXT NOT NULL,
		day TEXT NOT NULL,
		delay REAL NOT NULL,
		UNIQUE (conversation, batch, position)
	) STRICT;
	CREATE INDEX messages_of_days ON messages (agent, day)`}}

// MemoryStore is an open memory.
type MemoryStore struct{ db *database.DB }

// Open opens the file, or makes it; see database.Open.
func Open(path string) (*MemoryStore, error) {
	db, err := database.Open(path, schema)
	if err != nil {
		return nil, err
	}
	return &MemoryStore{db}, nil
}

// Close closes it. One that nobody holds any more is closed too.
func (d *MemoryStore) Close() error { return d.db.Close() }

// Cloner makes copies, in memory, of the diary as it stands now; one that is never
// used costs nothing.
func (d *MemoryStore) Cloner() (func() *MemoryStore, error) {
	image, err := d.db.Snapshot()
	if err != nil {
		return nil, err
	}
	return func() *MemoryStore { return &MemoryStore{image.Open()} }, nil
}

// DailySummary is what an agent remembers of a day.
type DailySummary struct {
	Agent     string   `json:"agent"`
	Date      string   `json:"date"` // 2026-11-12
	Summary   string   `json:"summary"`
	Topics    []string `json:"topics"`
	KeyPoints []string `json:"key_points"`
}

// check says what is wrong with a day.
func (d DailySummary) check() error {
	if err := checkName("agent", d.Agent); err != nil {
		return err
	}
	if _, err := number(d.Date); err != nil {
		return err
	}
	if strings.TrimSpace(d.Summary) == "" {
		return fmt.Errorf("summary: there is none")
	}
	if n := len(d.text()); n > maxRow {
		return fmt.Errorf("has %d bytes, more than %d", n, maxRow)
	}
	return nil
}

// text is what a day is found by.
func (d DailySummary) text() string {
	return strings.Join([]string{d.Summary, strings.Join(d.Topics, "\n"), strings.Join(d.KeyPoints, "\n")}, "\n")
}

func checkName(field, name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return fmt.Errorf("%s: there is none", field)
	case len(name) > maxName:
		return fmt.Errorf("%s: has %d bytes, more than %d", field, len(name), maxName)
	}
	return nil
}

// number is a date as a number: 2026-11-12 is 20261112.
func number(date string) (int64, error) {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil || t.Year() < 1 {
		return 0, fmt.Errorf("date: %.40q is no day such as 2026-11-12", date)
	}
	return int64(t.Year()*10_000 + int(t.Month())*100 + t.Day()), nil
}

const agentStep = 100_000_000 // between the ids of two agents' days

// Upsert writes days, each in the place of the one that its agent has of that date: all
// or none.
func (d *MemoryStore) Upsert(ctx context.Context, days ...DailySummary) error {
	for _, day := range days {
		if err := day.check(); err != nil {
			return fmt.Errorf("day %.40q of %.40q: %w", day.Date, day.Agent, err)
		}
	}
	return d.db.Tx(ctx, func(tx *database.Tx) error {
		texts := map[int64]string{}
		for _, day := range days {
			id, folded, err := put(tx, day)
			if err != nil {
				return err
			}
			texts[id] = folded
		}
		return index(tx, texts) // by itself: other statements in between would make it write itself out
	})
}

// AddMissing writes the days that there are not yet: all or none. A day of which another row
// is there is refused: what is remembered is not overwritten.
func (d *MemoryStore) AddMissing(ctx context.Context, days ...DailySummary) error {
	var missing []DailySummary
	err := d.db.View(ctx, func(tx *database.Tx) error {
		for _, day := range days {
			there, err := rowOf(tx, day)
			if err != nil {
				return err
			}
			switch there {
			case "":
				missing = append(missing, day)
			case day.row():
			default:
				return fmt.Errorf("the diary has another %s of %s, which is not overwritten", day.Date, day.Agent)
			}
		}
		return nil
	})
	if err != nil || len(missing) == 0 {
		return err
	}
	return d.Upsert(ctx, missing...)
}

// row is what is kept of a day, as one text.
func (d DailySummary) row() string {
	return valid(d.Summary) + "\n" + list(d.Topics) + "\n" + list(d.KeyPoints)
}

// rowOf is the row that there is of the day, "" for none.
func rowOf(tx *database.Tx, d DailySummary) (row string, err error) {
	for r, err := range tx.Rows(`SELECT summary || char(10) || topics || char(10) || key_points FROM days
		WHERE date = ? AND agent = (SELECT id FROM agents WHERE name = ?)`, d.Date, valid(d.Agent)) {
		if err != nil {
			return "", err
		}
		err = r.Scan(&row)
		return row, err
	}
	return "", nil
}

// put writes a day, and gives its id and its folded text.
func put(tx *database.Tx, day DailySummary) (id int64, folded string, err error) {
	agent, err := agentID(tx, day.Agent)
	if err != nil {
		return 0, "", err
	}
	date, err := number(day.Date)
	if err != nil {
		return 0, "", err
	}
	id, folded = agent*agentStep+date, fulltext.Normalize(day.text())
	return id, folded, tx.Exec("INSERT OR REPLACE INTO days VALUES (?, ?, ?, ?, ?, ?, ?)", id, agent, day.Date,
		valid(day.Summary), list(day.Topics), list(day.KeyPoints), folded)
}

// indexed are the terms of a folded text, parted by spaces.
func indexed(folded string) string {
	var b strings.Builder
	for run := range strings.FieldsSeq(folded) {
		for _, t := range fulltext.Terms(run) {
			b.WriteString(t)
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// index writes what the days are found by.
func index(tx *database.Tx, texts map[int64]string) error {
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		if err := tx.Exec("INSERT OR REPLACE INTO words (rowid, terms) VALUES (?, ?)", id, indexed(texts[id])); err != nil {
			return err
		}
	}
	return nil
}

// agentID is the agent's number, which a new one is given.
func agentID(tx *database.Tx, name string) (int64, error) {
	id, err := knownAgent(tx, name)
	if err != nil || id != 0 {
		return id, err
	}
	if err := tx.Exec("INSERT INTO agents (name) VALUES (?)", valid(name)); err != nil {
		return 0, err
	}
	return knownAgent(tx, name)
}

// knownAgent is the agent's number, 0 of one that has none.
func knownAgent(tx *database.Tx, name string) (id int64, err error) {
	for row, err := range tx.Rows("SELECT id FROM agents WHERE name = ?", valid(name)) {
		if err != nil {
			return 0, err
		}
		err = row.Scan(&id)
		return id, err
	}
	return 0, nil
}

// valid is a text as UTF-8.
func valid(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

func list(texts []string) string {
	clean := make([]string, len(texts))
	for i, t := range texts {
		clean[i] = valid(t)
	}
	b, err := json.Marshal(clean)
	if err != nil {
		panic(err) // strings that are UTF-8 can be written
	}
	return string(b)
}
