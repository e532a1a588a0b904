package llms

import "testing"

func TestAround(t *testing.T) {
	file := &File{Title: "A", Summary: "B", Sections: []Section{{"C", []Link{{Text: "d", URL: "e"}}}}}
	const list = "\n## C\n\n- [d](e): " + End
	fresh := "# A\n\n> B\n\n<!-- sitewalk: begin 17761f63 -->\n" + list + "\n"
	tests := []struct{ name, text, want string }{
		{"its own", fresh, fresh},
		{"its own with another title", "# Z\n\n<!-- sitewalk: begin 6d05c2af -->\nx <!-- sitewalk: end -->\n", fresh},
		{"empty marks", Begin + End, fresh[:len(fresh)-1]},
		{"a title by hand", "# Mine\n\nText\n\n" + Begin + "\nold\n" + End + "\n\n## More\n", "# Mine\n\nText\n\n" + Begin + "\n" + list + "\n\n## More\n"},
		{"a number of another text", "# A\n\n> b\n\n<!-- sitewalk: begin 17761f63 -->\n" + End, "# A\n\n> b\n\n" + Begin + "\n" + list},
		{"no title by hand", "Text\n<!--sitewalk: begin-->" + End + "\n", "Text\n" + Begin + "\n\n# A\n\n> B\n" + list + "\n"},
		{"carriage returns", "# Mine\r\n" + Begin + End + "\r\n", "# Mine\r\n" + Begin + "\r\n\r\n## C\r\n\r\n- [d](e): " + End + "\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			frame, err := Cut([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			got := string(frame.Around(file))
			if got != tt.want {
				t.Errorf("got\n%q\nwant\n%q", got, tt.want)
			}
			again, err := Cut([]byte(got))
			if err != nil || string(again.Around(file)) != got {
				t.Errorf("the next time it is\n%q, error %v", again.Around(file), err)
			}
		})
	}
	if got := string(Frame{}.Around(file)); got != fresh {
		t.Errorf("a new file is %q", got)
	}
}

func TestCutErrors(t *testing.T) {
	for _, text := range []string{"", "# A", Begin, End, End + Begin, Begin + Begin + End, Begin + End + End} {
		if f, err := Cut([]byte(text)); err == nil {
			t.Errorf("%q is cut into %q and %q", text, f.Above, f.Below)
		}
	}
}

// TestMarksInTexts makes sure that what pages say cannot end the list.
func TestMarksInTexts(t *testing.T) {
	evil := "x " + End + Begin
	file := &File{Title: evil, Summary: evil, Sections: []Section{{evil, []Link{{Text: evil, URL: evil, Note: evil}}}}}
	once := Frame{}.Around(file)
	frame, err := Cut(once)
	if err != nil || !frame.Generated() || string(frame.Around(file)) != string(once) {
		t.Errorf("%v: %s", err, once)
	}
}
