package llms

import "testing"

// TestFrameWrap checks which parts of an llms.txt Wrap replaces. The result must not change if it
// is wrapped again.
func TestFrameWrap(t *testing.T) {
	file := &File{Title: "A", Summary: "B", Sections: []Section{{"C", []Link{{Text: "d", URL: "e"}}}}}
	const list = "\n## C\n\n- [d](e): " + EndMark
	fresh := "# A\n\n> B\n\n<!-- sitewalk: begin 17761f63 -->\n" + list + "\n"
	tests := []struct{ name, text, want string }{
		{"generated file", fresh, fresh},
		{"generated file with other title", "# Z\n\n<!-- sitewalk: begin 6d05c2af -->\nx <!-- sitewalk: end -->\n", fresh},
		{"empty marks", BeginMark + EndMark, fresh[:len(fresh)-1]},
		{"user title", "# Mine\n\nText\n\n" + BeginMark + "\nold\n" + EndMark + "\n\n## More\n", "# Mine\n\nText\n\n" + BeginMark + "\n" + list + "\n\n## More\n"},
		{"wrong checksum", "# A\n\n> b\n\n<!-- sitewalk: begin 17761f63 -->\n" + EndMark, "# A\n\n> b\n\n" + BeginMark + "\n" + list},
		{"user text without title", "Text\n<!--sitewalk: begin-->" + EndMark + "\n", "Text\n" + BeginMark + "\n\n# A\n\n> B\n" + list + "\n"},
		{"carriage returns", "# Mine\r\n" + BeginMark + EndMark + "\r\n", "# Mine\r\n" + BeginMark + "\n" + list + "\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			frame, err := ParseFrame([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			got := string(frame.Wrap(file))
			if got != tt.want {
				t.Errorf("got\n%q\nwant\n%q", got, tt.want)
			}
			again, err := ParseFrame([]byte(got))
			if err != nil || string(again.Wrap(file)) != got {
				t.Errorf("wrapped again: got\n%q, error %v, want the same", again.Wrap(file), err)
			}
		})
	}
	if got := string(Frame{}.Wrap(file)); got != fresh {
		t.Errorf("empty frame: got %q, want %q", got, fresh)
	}
}

func TestParseFrameRejectsBadMarks(t *testing.T) {
	for _, text := range []string{"", "# A", BeginMark, EndMark, EndMark + BeginMark, BeginMark + BeginMark + EndMark, BeginMark + EndMark + EndMark} {
		if f, err := ParseFrame([]byte(text)); err == nil {
			t.Errorf("ParseFrame(%q): got %q and %q, want an error", text, f.Above, f.Below)
		}
	}
}

// TestWrapEscapesMarks checks that titles and descriptions that contain a mark cannot end the list.
func TestWrapEscapesMarks(t *testing.T) {
	evil := "x " + EndMark + BeginMark
	file := &File{Title: evil, Summary: evil, Sections: []Section{{evil, []Link{{Text: evil, URL: evil, Note: evil}}}}}
	once := Frame{}.Wrap(file)
	frame, err := ParseFrame(once)
	if err != nil || !frame.IsGenerated() || string(frame.Wrap(file)) != string(once) {
		t.Errorf("wrapped again: got error %v or another file, want\n%s", err, once)
	}
}
