// Package diary stores what a companion remembers: a summary for each day and agent, and the
// messages of each day. Summaries can be searched by date and by words, including single Chinese
// characters.
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

// Limits in bytes. Longer messages are truncated; longer names and summaries are errors.
const (
	maxName    = 200
	maxContent = 100_000
	maxRow     = 64 << 10
)

// schema is the database schema. The id of a day is the id of its agent times 10^8 plus its date as
// a number. Therefore the days of an agent are in date order in the table and in the search index.
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
	CREATE INDEX messages_of_days ON messages (agent, day)`, `
	ALTER TABLE days ADD COLUMN imported INTEGER NOT NULL DEFAULT 0`}}

// Store is an open diary with the memories of any number of agents.
type Store struct{ db *database.DB }

// Open opens the diary in a file, which it creates if necessary. With "" the diary is in memory.
// See database.Open.
func Open(path string) (*Store, error) {
	db, err := database.Open(path, schema)
	if err != nil {
		return nil, err
	}
	return &Store{db}, nil
}

// Close closes the diary. A diary that is garbage-collected is closed automatically.
func (d *Store) Close() error { return d.db.Close() }

// CloneFunc returns a function that creates independent in-memory copies of the current diary, for
// example for each trial. An unused copy costs nothing.
func (d *Store) CloneFunc() (func() *Store, error) {
	image, err := d.db.Snapshot()
	if err != nil {
		return nil, err
	}
	return func() *Store { return &Store{image.Open()} }, nil
}

// DailySummary is what an agent remembers of one day.
type DailySummary struct {
	Agent     string   `json:"agent"` // name of the agent that remembers the day
	Date      string   `json:"date"`  // 2026-11-12
	Summary   string   `json:"summary"`
	Topics    []string `json:"topics"`     // what the day was about, in a few words each
	KeyPoints []string `json:"key_points"` // facts to remember
}

// check validates a summary before it is stored.
func (d DailySummary) check() error {
	if err := checkName("agent", d.Agent); err != nil {
		return err
	}
	if _, err := dateNumber(d.Date); err != nil {
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

// text returns the searchable text of the summary.
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

// dateNumber converts a date to a number: 2026-11-12 becomes 20261112.
func dateNumber(date string) (int64, error) {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil || t.Year() < 1 {
		return 0, fmt.Errorf("date: %.40q is not a day such as 2026-11-12", date)
	}
	return int64(t.Year()*10_000 + int(t.Month())*100 + t.Day()), nil
}

const agentStep = 100_000_000 // distance between the day ids of two agents

// Upsert writes daily summaries in one transaction. Each replaces an existing summary of the same
// agent and date.
func (d *Store) Upsert(ctx context.Context, days ...DailySummary) error {
	return d.write(ctx, days, false)
}

func (d *Store) write(ctx context.Context, days []DailySummary, isImported bool) error {
	for _, day := range days {
		if err := day.check(); err != nil {
			return fmt.Errorf("day %.40q of %.40q: %w", day.Date, day.Agent, err)
		}
	}
	return d.db.Update(ctx, func(tx *database.Tx) error {
		texts := map[int64]string{}
		for _, day := range days {
			id, folded, err := upsertDay(tx, day, isImported)
			if err != nil {
				return err
			}
			texts[id] = folded
		}
		// in a separate pass, because other statements in between would make the index flush
		return indexDays(tx, texts)
	})
}

// AddMissing imports those daily summaries that do not exist yet, in one transaction. It fails if
// the diary has a different summary for the same agent and date.
func (d *Store) AddMissing(ctx context.Context, days ...DailySummary) error {
	var missing []DailySummary
	err := d.db.View(ctx, func(tx *database.Tx) error {
		for _, day := range days {
			existing, isImported, err := rowOf(tx, day)
			if err != nil {
				return err
			}
			switch {
			case existing == "" || existing == day.row() && !isImported:
				missing = append(missing, day)
			case existing != day.row():
				return fmt.Errorf("the diary has another %s of %s, which is not overwritten", day.Date, day.Agent)
			}
		}
		return nil
	})
	if err != nil || len(missing) == 0 {
		return err
	}
	return d.write(ctx, missing, true)
}

// Agents returns the agents that have daily summaries, those with imported ones first, and
// otherwise in the order in which the diary received them.
func (d *Store) Agents(ctx context.Context) (names []string, err error) {
	err = d.db.View(ctx, func(tx *database.Tx) error {
		for row, err := range tx.Rows(`SELECT name FROM agents JOIN days ON days.agent = agents.id
			GROUP BY agents.id ORDER BY max(imported) DESC, agents.id`) {
			if err != nil {
				return err
			}
			var name string
			if err := row.Scan(&name); err != nil {
				return err
			}
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

// row returns the stored content of a summary as one text, for comparison with rowOf.
func (d DailySummary) row() string {
	return validUTF8(d.Summary) + "\n" + jsonList(d.Topics) + "\n" + jsonList(d.KeyPoints)
}

// rowOf returns the content that is stored for the agent and date of d, and whether it was imported;
// "": none.
func rowOf(tx *database.Tx, d DailySummary) (row string, isImported bool, err error) {
	for r, err := range tx.Rows(`SELECT summary || char(10) || topics || char(10) || key_points, imported FROM days
		WHERE date = ? AND agent = (SELECT id FROM agents WHERE name = ?)`, d.Date, validUTF8(d.Agent)) {
		if err != nil {
			return "", false, err
		}
		err = r.Scan(&row, &isImported)
		return row, isImported, err
	}
	return "", false, nil
}

// upsertDay writes a summary. It returns the day's id and the normalized text for the search index.
func upsertDay(tx *database.Tx, day DailySummary, isImported bool) (id int64, folded string, err error) {
	agent, err := agentID(tx, day.Agent)
	if err != nil {
		return 0, "", err
	}
	date, err := dateNumber(day.Date)
	if err != nil {
		return 0, "", err
	}
	id, folded = agent*agentStep+date, fulltext.Normalize(day.text())
	return id, folded, tx.Exec("INSERT OR REPLACE INTO days VALUES (?, ?, ?, ?, ?, ?, ?, ?)", id, agent, day.Date,
		validUTF8(day.Summary), jsonList(day.Topics), jsonList(day.KeyPoints), folded, isImported)
}

// indexTerms returns the search terms of a normalized text, separated by spaces.
func indexTerms(folded string) string {
	var b strings.Builder
	for run := range strings.FieldsSeq(folded) {
		for _, t := range fulltext.Terms(run) {
			b.WriteString(t)
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// indexDays writes the search terms of days, given the normalized text of each day id.
func indexDays(tx *database.Tx, texts map[int64]string) error {
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		if err := tx.Exec("INSERT OR REPLACE INTO words (rowid, terms) VALUES (?, ?)", id,
			indexTerms(texts[id])); err != nil {
			return err
		}
	}
	return nil
}

// agentID returns the id of an agent, and adds the agent if it is new.
func agentID(tx *database.Tx, name string) (int64, error) {
	id, err := knownAgent(tx, name)
	if err != nil || id != 0 {
		return id, err
	}
	if err := tx.Exec("INSERT INTO agents (name) VALUES (?)", validUTF8(name)); err != nil {
		return 0, err
	}
	return knownAgent(tx, name)
}

// knownAgent returns the id of an agent; 0: unknown.
func knownAgent(tx *database.Tx, name string) (id int64, err error) {
	for row, err := range tx.Rows("SELECT id FROM agents WHERE name = ?", validUTF8(name)) {
		if err != nil {
			return 0, err
		}
		err = row.Scan(&id)
		return id, err
	}
	return 0, nil
}

// validUTF8 replaces invalid bytes, because SQLite and JSON require valid UTF-8.
func validUTF8(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

func jsonList(texts []string) string {
	clean := make([]string, len(texts))
	for i, t := range texts {
		clean[i] = validUTF8(t)
	}
	b, err := json.Marshal(clean)
	if err != nil {
		panic(err) // cannot happen: strings of valid UTF-8 can always be encoded
	}
	return string(b)
}
