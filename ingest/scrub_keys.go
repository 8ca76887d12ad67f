package ingest

import (
	"regexp"
	"strings"
)

// A keyForm is how the keys of a service look: what they begin with, and a
// regular expression of what follows. Lengths are the least that the service
// gives out, or somewhat less, since texts are cut.
type keyForm struct{ prefix, rest string }

// keyForms lists the keys that show what they are. Keys without a form of
// their own are found by the name before them, see [secretNames].
var keyForms = []keyForm{
	// Models: sk- is of Anthropic, OpenAI, OpenRouter, DeepSeek, Langfuse and others.
	{"sk-", `[A-Za-z0-9_-]{16,}`}, {"sess-", `[A-Za-z0-9]{40,}`}, {"csk-", `[A-Za-z0-9]{30,}`}, {"fw_", `[A-Za-z0-9]{20,}`},
	{"gsk_", `[A-Za-z0-9]{20,}`}, {"hf_", `[A-Za-z0-9]{20,}`}, {"nvapi-", `[A-Za-z0-9_-]{20,}`}, {"pa-", `[A-Za-z0-9_-]{43,}`}, {"pplx-", `[A-Za-z0-9]{20,}`},
	{"r8_", `[A-Za-z0-9]{20,}`}, {"tgp_v1_", `[A-Za-z0-9_-]{20,}`}, {"xai-", `[A-Za-z0-9]{20,}`}, {"sk_", `[a-f0-9]{40,}`}, {"api_org_", `[A-Za-z0-9]{30,}`},
	// Tools of agents: search, sandboxes, traces, vectors.
	{"e2b_", `[a-f0-9]{30,}`}, {"fc-", `[a-f0-9]{30,}`}, {"jina_", `[A-Za-z0-9_-]{30,}`}, {"ls__", `[a-f0-9]{20,}`}, {"lsv2_", `(?:pt|sk)_[a-f0-9]{20,}(?:_[a-f0-9]+)?`},
	{"pcsk_", `[A-Za-z0-9_]{30,}`}, {"phx_", `[A-Za-z0-9]{30,}`}, {"tvly-", `[A-Za-z0-9-]{16,}`}, {"wandb_v1_", `[A-Za-z0-9_]{20,}`},
	{"apify_api_", `[A-Za-z0-9]{30,}`}, {"bb_live_", `[A-Za-z0-9_-]{20,}`}, {"BSA", `[A-Za-z0-9_-]{28}`}, {"ctx7sk-", `[a-f0-9-]{32,}`}, {"dtn_", `[a-f0-9]{40,}`}, {"m0-", `[A-Za-z0-9]{36,}`}, {"phs_", `[A-Za-z0-9]{30,}`}, {"pylf_v", `[0-9]_[A-Za-z0-9_]{30,}`}, {"tpuf_", `[A-Za-z0-9]{24,}`},
	// Code and packages.
	{"ghp_", `[A-Za-z0-9]{20,}`}, {"gho_", `[A-Za-z0-9]{20,}`}, {"ghu_", `[A-Za-z0-9]{20,}`}, {"ghs_", `[A-Za-z0-9]{20,}`}, {"ghr_", `[A-Za-z0-9]{20,}`},
	{"github_pat_", `[A-Za-z0-9_]{20,}`}, {"glpat-", `[A-Za-z0-9_.-]{15,}[A-Za-z0-9_-]`}, {"glrt-", `[A-Za-z0-9_.-]{15,}[A-Za-z0-9_-]`}, {"glptt-", `[A-Za-z0-9_.-]{15,}[A-Za-z0-9_-]`}, {"gldt-", `[A-Za-z0-9_.-]{15,}[A-Za-z0-9_-]`}, {"glcbt-", `[A-Za-z0-9_.-]{15,}[A-Za-z0-9_-]`}, {"glft-", `[A-Za-z0-9_.-]{15,}[A-Za-z0-9_-]`}, {"glimt-", `[A-Za-z0-9_.-]{15,}[A-Za-z0-9_-]`}, {"glagent-", `[A-Za-z0-9_.-]{15,}[A-Za-z0-9_-]`}, {"gloas-", `[A-Za-z0-9_.-]{15,}[A-Za-z0-9_-]`}, {"glsoat-", `[A-Za-z0-9_.-]{15,}[A-Za-z0-9_-]`}, {"glffct-", `[A-Za-z0-9_.-]{15,}[A-Za-z0-9_-]`}, {"glwt-", `[A-Za-z0-9_.-]{15,}[A-Za-z0-9_-]`}, {"GR1348941", `[A-Za-z0-9_-]{20,}`},
	{"ATATT3", `[A-Za-z0-9_=-]{20,}`}, {"ATCTT3", `[A-Za-z0-9_=-]{20,}`}, {"ATBB", `[A-Za-z0-9]{20,}`}, {"PMAK-", `[a-f0-9]{20,}-[a-f0-9]{20,}`},
	{"dckr_", `(?:pat|oat)_[A-Za-z0-9_-]{20,}`}, {"npm_", `[A-Za-z0-9]{20,}`}, {"pypi-", `[A-Za-z0-9_-]{20,}`}, {"rubygems_", `[a-f0-9]{40,}`}, {"cio", `[A-Za-z0-9]{32}`}, {"oy2", `[a-z0-9]{43}`},
	{"AKCp", `[A-Za-z0-9]{60,}`}, {"cmVmdGtuOj", `[A-Za-z0-9]{40,}`}, {"bkua_", `[a-f0-9]{40}`}, {"CCIPAT_", `[A-Za-z0-9]{20,}_[a-f0-9]{40}`}, {"CFPAT-", `[A-Za-z0-9_-]{40,}`}, {"CLOJARS_", `[a-z0-9]{60}`}, {"pul-", `[a-f0-9]{40}`}, {"signkey-", `[a-z]+-[a-f0-9]{32,}`}, {"sqa_", `[a-f0-9]{40}`}, {"sqp_", `[a-f0-9]{40}`}, {"squ_", `[a-f0-9]{40}`}, {"tr_", `(?:prod|dev|stg)_[A-Za-z0-9]{20,}`},
	// Clouds and hosts.
	{"AKIA", `[A-Z0-9]{16}`}, {"ASIA", `[A-Z0-9]{16}`}, {"ABSK", `[A-Za-z0-9+/=]{60,}`}, {"IQoJb3JpZ2lu", awsSession}, {"FwoGZXIvYXdz", awsSession}, {"AIza", `[A-Za-z0-9_-]{30,}`}, {"AQ.", `Ab[A-Za-z0-9_-]{30,}`}, {"ya29.", `[A-Za-z0-9_-]{20,}`}, {"GOCSPX-", `[A-Za-z0-9_-]{20,}`},
	{"LTAI", `[A-Za-z0-9]{16,}`}, {"doo_v1_", `[a-f0-9]{20,}`}, {"dop_v1_", `[a-f0-9]{20,}`}, {"dor_v1_", `[a-f0-9]{20,}`}, {"dapi", `[a-f0-9]{32}(?:-[0-9])?`}, {"dose", `[a-f0-9]{32}`}, {"cfat_", `[A-Za-z0-9]{40,}`}, {"cfk_", `[A-Za-z0-9]{40,}`}, {"cfut_", `[A-Za-z0-9]{40,}`}, {"v1.0-", `[a-f0-9]{24}-[a-f0-9]{100,}`}, {"vca_", `[A-Za-z0-9]{24,}`}, {"vcc_", `[A-Za-z0-9]{24,}`}, {"vci_", `[A-Za-z0-9]{24,}`}, {"vck_", `[A-Za-z0-9]{24,}`}, {"vcp_", `[A-Za-z0-9]{24,}`}, {"vcr_", `[A-Za-z0-9]{24,}`}, {"vercel_blob_rw_", `[A-Za-z0-9_]{20,}`}, {"nfc_", `[A-Za-z0-9]{30,}`}, {"nfp_", `[A-Za-z0-9]{30,}`}, {"nfu_", `[A-Za-z0-9]{30,}`}, {"fm2_", `[A-Za-z0-9+/=_-]{40,}`}, {"fo1_", `[A-Za-z0-9_-]{40,}`}, {"napi_", `[A-Za-z0-9]{40,}`}, {"atlasv1.", `[A-Za-z0-9_=-]{50,}`},
	{"sbp_", `[a-f0-9]{30,}`}, {"sb_secret_", `[A-Za-z0-9_-]{20,}`}, {"pscale_", `(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{31,}`}, {"HRKU-", `[A-Za-z0-9_-]{30,}`}, {"tskey-", `[A-Za-z0-9-]{20,}`}, {"rnd_", `[A-Za-z0-9]{28,}`},
	{"hvb.", `[A-Za-z0-9_-]{24,}`}, {"hvs.", `[A-Za-z0-9_-]{24,}`}, {"hvr.", `[A-Za-z0-9_-]{24,}`}, {"dp.", `(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{39,}[A-Za-z0-9]`}, {"ops_ey", `[A-Za-z0-9_=-]{30,}`}, {"AGE-SECRET-KEY-", `(?:PQ-)?1[A-Z0-9]{50,}`},
	// Seeds of NATS, which are private keys: S, one of UAONCX for whose, and 56
	// more of base32. What kind it is leaves bits 0 up to the first of the key
	// itself, so that the third letter is A and the fourth in A to P.
	{"SUA", natsSeed}, {"SAA", natsSeed}, {"SOA", natsSeed}, {"SNA", natsSeed}, {"SCA", natsSeed}, {"SXA", natsSeed},
	// Watching.
	{"sntry", `[su]_[A-Za-z0-9+/=_-]{30,}`}, {"gls", `a_[A-Za-z0-9]{28,}(?:_[a-f0-9]{8})?`}, {"glc_", `[A-Za-z0-9+/=]{30,}`}, {"eyJrIjoi", `[A-Za-z0-9+/=_-]{60,}`}, {"hc", `[abx]ik_[a-z0-9]{50,}`}, {"NRAK-", `[A-Z0-9]{20,}`}, {"NRII-", `[A-Za-z0-9_-]{20,}`}, {"NRIQ-", `[A-Za-z0-9_-]{20,}`}, {"NRJS-", `[a-f0-9]{16,}`},
	// Work and messages.
	{"xox", `[a-eoprs]-[A-Za-z0-9%-]{10,}`}, {"xapp-", `[0-9]-[A-Za-z0-9-]{10,}`}, {"hooks.slack.com/", `(?:services|workflows|triggers)/[A-Za-z0-9/]{20,}`},
	{"discord.com/api/webhooks/", `[0-9]+/[A-Za-z0-9_-]{20,}`}, {"discordapp.com/api/webhooks/", `[0-9]+/[A-Za-z0-9_-]{20,}`},
	{"MT", discordBot}, {"Mj", discordBot}, {"Mz", discordBot}, {"ND", discordBot}, {"NT", discordBot}, {"Nj", discordBot}, {"Nz", discordBot}, {"OD", discordBot}, {"OT", discordBot},
	{"lin_", `(?:api|oauth)_[A-Za-z0-9]{20,}`}, {"ntn_", `[A-Za-z0-9]{30,}`}, {"secret_", `[A-Za-z0-9]{40,}`}, {"figd_", `[A-Za-z0-9_-]{30,}`}, {"figu_", `[A-Za-z0-9_-]{30,}`}, {"figor_", `[A-Za-z0-9_-]{30,}`}, {"figoh_", `[A-Za-z0-9_-]{30,}`},
	{"pat", `[A-Za-z0-9]{14}\.[a-f0-9]{50,}`}, {"sl.", `[A-Za-z0-9_.-]{100,}`}, {"EAA", `[A-Za-z0-9_-]{56,}`},
	{"pat-", `(?:na|eu)[0-9]-[a-f0-9-]{32,}`},
	{"tfp_", `[A-Za-z0-9_]{40,}`},
	{"SG.", `[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`}, {"SK", `[a-f0-9]{32}`}, {"key-", `[a-f0-9]{32}`}, {"re_", `[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}`}, {"xkeysib-", `[a-f0-9]{40,}`},
	// Private keys in base64, as Kubernetes keeps them.
	{"LS0tLS1CRUdJTiB", `(?:QUklWQVRF|SU0EgUFJJVkFURS|FQyBQUklWQVRF|PUEVOU1NIIFBSSVZBVEUg|FTkNSWVBURUQgUFJJVkFURS|EU0EgUFJJVkFURS)[A-Za-z0-9+/=]{20,}`},
	// Money and shops.
	{"sk_", `(?:live|test)_[A-Za-z0-9]{10,}`}, {"rk_", `(?:live|test)_[A-Za-z0-9]{10,}`}, {"whsec_", `[A-Za-z0-9+/=]{20,}`}, {"shpat_", `[A-Fa-f0-9]{30,}`}, {"shpca_", `[A-Fa-f0-9]{30,}`}, {"shppa_", `[A-Fa-f0-9]{30,}`}, {"shpss_", `[A-Fa-f0-9]{30,}`}, {"shpua_", `[A-Fa-f0-9]{30,}`}, {"pdl_", `(?:live|sdbx)_apikey_[A-Za-z0-9_]{30,}`},
	{"sq0", `(?:atp|csp)-[A-Za-z0-9_-]{20,}`},
	// Sessions and what signs them, by names that no other name ends like.
	{"jsessionid=", `[A-Za-z0-9._!-]{20,}`}, {"JSESSIONID=", `[A-Za-z0-9._!-]{20,}`}, {"PHPSESSID=", `[A-Za-z0-9,-]{20,}`}, {"SECRET_KEY_BASE=", `[A-Za-z0-9]{40,}`},
}

// Long forms that several prefixes have.
const (
	natsSeed   = `[A-P][A-Z2-7]{54}`
	awsSession = `[A-Za-z0-9+/=%_-]{40,}`
)

// discordBot follows the first two letters of a bot's token: its number, which
// is written in base64, then a time and a hash.
const discordBot = `[A-Za-z0-9_-]{20,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}`

// keyPattern finds what has one of the forms.
var keyPattern = func() *regexp.Regexp {
	var forms []string
	for _, f := range keyForms {
		forms = append(forms, regexp.QuoteMeta(f.prefix)+f.rest)
	}
	return regexp.MustCompile(wordStart + `(?:` + strings.Join(forms, "|") + `)`)
}()

// keyPrefixes begin the forms, by their first letter.
var keyPrefixes = func() (byLetter [256][]string) {
	for _, f := range keyForms {
		byLetter[f.prefix[0]] = append(byLetter[f.prefix[0]], f.prefix)
	}
	return byLetter
}()

// keySeconds and keyThirds hold, by the first letter of a form, a bit for each
// second and each third one. Few words have all three.
var keySeconds, keyThirds = func() (seconds, thirds [256]uint64) {
	for _, f := range keyForms {
		c := f.prefix[0]
		seconds[c] |= 1 << (f.prefix[1] % 64)
		if len(f.prefix) == 2 {
			thirds[c] = ^uint64(0) // what follows has no one letter
		} else {
			thirds[c] |= 1 << (f.prefix[2] % 64)
		}
	}
	return seconds, thirds
}()

// dotted is where a full stop stands behind the prefix of keys that many words
// begin with.
var dotted = map[string]int{"pat": 14}

// hintOfKey tells whether rest begins like a key.
func hintOfKey(rest string) hint {
	if len(rest) <= leastKey || keySeconds[rest[0]]&(1<<(rest[1]%64)) == 0 || keyThirds[rest[0]]&(1<<(rest[2]%64)) == 0 {
		return 0
	}
	for _, prefix := range keyPrefixes[rest[0]] {
		if !strings.HasPrefix(rest, prefix) || !keyFollows(rest[len(prefix):]) {
			continue
		}
		if dot := len(prefix) + dotted[prefix]; dot == len(prefix) || len(rest) > dot && rest[dot] == '.' {
			return hintAPIKey
		}
	}
	return 0
}

// leastKey is what follows the prefix of every form, at least.
const leastKey = 10

// keyFollows tells whether rest goes on without a space, as keys do and most
// words that begin like one do not.
func keyFollows(rest string) bool {
	if len(rest) < leastKey {
		return false
	}
	for i := range leastKey {
		if c := rest[i]; !wordByte[c] && strings.IndexByte("-.+/=", c) < 0 {
			return false
		}
	}
	return true
}
