import type { Snippet } from "@/components/docs/snippets/snippet";

/** Following a stream in Go. @param apiUrl {base_url} of the specification */
export function goStream(apiUrl: string): Snippet {
  return {
    language: "Go",
    title: "main.go",
    code: `package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

const api = "${apiUrl}"

type eventData struct {
	Delta, Output string
	Error         struct{ Message string }
}

func call(ctx context.Context, method, path string, body io.Reader) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, api+path, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("X-API-Key", os.Getenv("API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	return http.DefaultClient.Do(request)
}

// followTurn hands on every event of a session's latest turn; a connection that breaks is taken up where it ended.
func followTurn(sessionID string, take func(name string, data eventData)) error {
	after, isOver, err := "0", false, error(nil)
	for !isOver && err == nil {
		if after, isOver, err = followOn(sessionID, after, take); !isOver {
			time.Sleep(time.Second)
		}
	}
	return err
}

// followOn follows one connection, and returns the last event's id.
func followOn(sessionID, after string, take func(string, eventData)) (string, bool, error) {
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	silence := time.AfterFunc(time.Minute, leave) // A stream gives a sign of life every 15 seconds.
	response, err := call(ctx, "GET", "/chat/"+sessionID+"/stream?after="+after, nil)
	if err != nil {
		return after, false, nil // The service is away for a moment.
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNoContent {
		return after, true, nil // The turn's last event was read before.
	}
	if response.StatusCode >= 400 && response.StatusCode < 500 {
		return after, true, fmt.Errorf("the stream answered %s", response.Status)
	}
	name, id := "", after
	for reader := bufio.NewReader(response.Body); response.StatusCode == http.StatusOK; { // A Scanner fails above 64 KB.
		line, err := reader.ReadString('\\n')
		if err != nil {
			break // Broken off: once more, after the last event.
		}
		silence.Reset(time.Minute)
		field, value, _ := strings.Cut(strings.TrimSuffix(line, "\\n"), ": ")
		switch field {
		case "id":
			id = value
		case "event":
			name = value
		case "data":
			var data eventData
			if err := json.Unmarshal([]byte(value), &data); err != nil {
				return after, true, err
			}
			after = id
			take(name, data)
			if name == "completed" || name == "error" {
				return after, true, nil
			}
		}
	}
	return after, false, nil
}

func main() {
	response, err := call(context.Background(), "POST", "/chat", strings.NewReader(\`{"message": "Tell me a short story."}\`))
	if err != nil {
		log.Fatal(err)
	}
	var chat struct{ SessionID string }
	if err := json.NewDecoder(response.Body).Decode(&chat); err != nil {
		log.Fatal(err)
	}
	answer := ""
	err = followTurn(chat.SessionID, func(name string, data eventData) {
		switch name {
		case "reset":
			answer = ""
		case "chunk":
			answer += data.Delta
		case "error":
			log.Print(data.Error.Message)
		case "completed":
			fmt.Println(answer == data.Output, answer)
		}
	})
	if err != nil {
		log.Fatal(err)
	}
}`,
  };
}
