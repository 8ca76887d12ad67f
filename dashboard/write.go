package dashboard

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"hansei/analyze"
	"hansei/reports"
)

// policy is the content security policy of all pages but the report, whose own
// also allows its styles and its scripts by their hash.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

//go:embed *.html.tmpl
var templateFiles embed.FS

// templates returns those of each language, by file. They take long to parse, and
// most commands show no page.
var templates = sync.OnceValue(parseTemplates)

func parseTemplates() map[reports.Lang]map[string]*template.Template {
	files, err := templateFiles.ReadDir(".")
	if err != nil {
		panic(err) // they are embedded
	}
	all := map[reports.Lang]map[string]*template.Template{}
	for _, lang := range reports.Langs {
		say := func(en, ja string) string {
			if lang == reports.JA {
				return ja
			}
			return en
		}
		frame := template.Must(template.New("frame.html.tmpl").Funcs(template.FuncMap{"t": say}).ParseFS(templateFiles, "frame.html.tmpl"))
		all[lang] = map[string]*template.Template{}
		for _, file := range files {
			all[lang][file.Name()] = template.Must(template.Must(frame.Clone()).ParseFS(templateFiles, file.Name()))
		}
	}
	return all
}

// show answers with the template of that name.
func (d *Dashboard) show(q *request, name string) error {
	var page bytes.Buffer
	if err := templates()[q.Lang][name+".html.tmpl"].ExecuteTemplate(&page, "frame", q); err != nil {
		return err
	}
	d.write(q, page.Bytes(), policy)
	return nil
}

// write answers with a page that is whole.
func (d *Dashboard) write(q *request, page []byte, policy string) {
	h := q.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("Vary", "Accept-Language")
	q.w.WriteHeader(cmp.Or(q.Status, http.StatusOK))
	if _, err := q.w.Write(page); err != nil {
		d.Log.Debug("page not taken", "err", err)
	}
}

// errNoPage says that nothing is at an address.
var errNoPage = errors.New("no page")

// A failure is what error.html.tmpl shows.
type failure struct{ Message, Detail string }

// fail answers with an error and a way back.
func (d *Dashboard) fail(q *request, err error) {
	var input *InputError
	var conflict *analyze.Conflict
	f := failure{Detail: err.Error()}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, errStopping): // or nobody waits for it
		http.Error(q.w, errStopping.Error(), http.StatusServiceUnavailable)
		return
	case errors.Is(err, errNoPage) && strings.HasPrefix(q.r.URL.Path, "/v1/"):
		http.Error(q.w, "no such resource, or not with "+q.r.Method, http.StatusNotFound)
		return
	case errors.Is(err, errNoPage):
		q.Status, q.Title, f.Detail = http.StatusNotFound, q.say(text{EN: "Nothing is here", JA: "ページがありません"}), ""
		f.Message = q.say(text{EN: "No page or incident has this address.", JA: "このアドレスのページやインシデントはありません。"})
	case errors.As(err, &input):
		q.Status, q.Title = cmp.Or(input.Status, http.StatusBadRequest), q.say(text{EN: "This cannot be read", JA: "読み取れない指定です"})
		f.Message = q.say(text{EN: "The address or the form holds something that is not known:", JA: "アドレスまたはフォームに不明な値があります："})
	case errors.As(err, &conflict):
		q.Status, q.Title = http.StatusConflict, q.say(text{EN: "Somebody decided before you", JA: "先に決定されています"})
		f.Message = q.say(text{EN: "Nothing was changed. Open the suggestions again to see it, and decide again if you still want to:", JA: "何も変更していません。提案を開き直して確認し、必要であれば再度決定してください："})
	case errors.Is(err, context.DeadlineExceeded):
		q.Status, q.Title = http.StatusServiceUnavailable, q.say(text{EN: "This takes too long", JA: "時間がかかりすぎています"})
		f.Message = q.say(text{EN: "Ask for a shorter period, or again in a minute.", JA: "期間を短くするか、少し待ってから再度お試しください。"})
	case analyze.Damaged(err):
		d.Log.Error("page", "path", q.r.URL.Path, "err", err)
		q.Status, q.Title = http.StatusInternalServerError, q.say(text{EN: "The store is damaged", JA: "ストアが破損しています"})
		f.Message = q.say(text{EN: "Stop hansei serve, then run hansei doctor --rebuild: it moves what is damaged aside, and takes what is missing from the stream.", JA: "hansei serve を停止してから hansei doctor --rebuild を実行してください。破損したものを退避し、足りない分をストリームから取り込みます。"})
	default:
		d.Log.Error("page", "path", q.r.URL.Path, "err", err)
		q.Status, q.Title = http.StatusInternalServerError, q.say(text{EN: "This page could not be made", JA: "ページを作成できませんでした"})
		f.Message = q.say(text{EN: "The store did not answer; hansei doctor says what is wrong.", JA: "ストアが応答しませんでした。原因は hansei doctor で確認できます。"})
	}
	q.Data, q.Form = f, nil
	if err := d.show(q, "error"); err != nil {
		http.Error(q.w, err.Error(), http.StatusInternalServerError)
	}
}

// seeOther leads the browser to a page after a form, so that loading it again
// posts nothing.
func (q *request) seeOther(address string) error {
	http.Redirect(q.w, q.r, address, http.StatusSeeOther)
	return nil
}
