# shellcheck shell=bash
# The ablations of ablate.sh. Each disables a feature or changes a value by small edits below crates/verger/src.
# Jobs of one pass measure area `scan`, jobs of policies measure `index`, and all jobs measure `both`.

# -- scan ---------------------------------------------------------------------------------------

ablation starts-16 scan "lines are walked from 16 gathered ones on (32)"
swap read/line_starts.rs 'const FULL: usize = 32;' 'const FULL: usize = 16;'

ablation starts-64 scan "lines are walked from 64 gathered ones on (32)"
swap read/line_starts.rs 'const FULL: usize = 32;' 'const FULL: usize = 64;'

ablation starts-2-at-once scan "2 line starts are written at once (4)"
swap read/line_starts.rs 'const AT_ONCE: usize = 4;' 'const AT_ONCE: usize = 2;'

ablation starts-8-at-once scan "8 line starts are written at once (4)"
swap read/line_starts.rs 'const AT_ONCE: usize = 4;' 'const AT_ONCE: usize = 8;'

ablation prefix-off scan "no rule is ruled out by its first 16 bytes"
swap scan/prefix_compare.rs '!rules_out | target.is_doubtful_near(self.effect, self.mismatch)' \
    '{ let _ = rules_out; true }'

ablation bigrams-off scan "no wildcard rule is ruled out by the bigrams of the target"
swap scan/prefix_compare.rs '        if self.so_far <= FEW || !target.is_prefix_comparable() {' \
    '        if self.so_far > MANY && self.bytes.is_none() && target.is_prefix_comparable() {
            self.bytes = Some(ByteSet::of_ascii_in(target.form()));
        }
        if self.so_far < usize::MAX {'

ablation bigrams-from-1 scan "the bigrams are collected for the first undecided rule (4th)"
swap scan/prefix_compare.rs 'const FEW: usize = 3;' 'const FEW: usize = 0;'

ablation bigrams-from-41 scan "the bigrams are collected for the 41st undecided rule (4th)"
swap scan/prefix_compare.rs 'const FEW: usize = 3;' 'const FEW: usize = 40;'

ablation bytes-off scan "no rule is ruled out by the bytes of the target"
swap scan/prefix_compare.rs 'const MANY: usize = 256;' 'const MANY: usize = usize::MAX;'

ablation far-prefix-off scan "16 bytes are compared where the first 16 do not decide (48)"
swap scan/prefix_compare.rs 'target.far_mismatch(masks, line.get(value..)?.first_chunk()?)' \
    'target.mismatch(masks, line.get(value..)?.first_chunk()?)'
swap scan/prefix_compare.rs '!target.is_doubtful(effect, mismatch)' \
    '!target.is_doubtful_near(effect, mismatch)'

ablation short-off scan "undecided rules are read and matched line by line, not within a window"
swap scan/prefix_compare.rs 'fit_of_short(masks, target, bytes, (effect, line, value), bar)' \
    '{ let _ = (bytes, bar); ShortFit::Unknown }'

ablation lacks-run-off scan "rules that must be compiled are compiled, whatever the target lacks"
swap scan/raw_rule.rs '!is_plain && !lacks_run(target, value)' \
    '!is_plain && { let _ = lacks_run; true }'

ablation first-bytes-off scan "every user-agent line is read, whatever its first byte"
swap scan/asked_names.rs 'self.firsts.contains(first)' 'self.firsts.contains(first) | true'

ablation name-start-off scan "names are compared without a look at their first 8 bytes"
swap scan/asked_names.rs 'if !self.start.starts(first_eight) {' \
    'if false & !self.start.starts(first_eight) {'

ablation closed-first-bytes-off scan "lines that start with a or d are looked at outside a group too"
swap scan/body_scan.rs '.starting_with(block, starts, &self.first_bytes.closed);' \
    '.starting_with(block, starts, &self.first_bytes.open);'

ablation thrice-off scan "specificity is counted byte by byte"
swap scan/raw_rule.rs 'let specificity = Specificity::of_bytes(bytes + 2 * thrice.count_ones() as usize);' \
    'let (text, anchored) = strip_anchor(value);
    let _ = thrice;
    let specificity = Specificity::of_plain(text, anchored, target.comparison());'

ablation escapes-off scan "no rule is ruled out by an escape where it first differs from the target"
swap scan/prefix_compare.rs 'if kind == Mismatch::Unclear && target.lacks_escape' \
    'if false && kind == Mismatch::Unclear && target.lacks_escape'

# -- index --------------------------------------------------------------------------------------

ablation attached-off index "no rule is attached to its head"
swap index/wildcard_index.rs 'const ATTACHED_MAX: usize = 12;' 'const ATTACHED_MAX: usize = 0;'

ablation attached-6 index "at most 6 rules are attached to a head (12)"
swap index/wildcard_index.rs 'const ATTACHED_MAX: usize = 12;' 'const ATTACHED_MAX: usize = 6;'

ablation shared-1 index "rules whose n-gram 1 other has are attached to a head, if they can be (3)"
swap index/wildcard_index.rs 'const NGRAM_SHARED_MAX: u16 = 3;' 'const NGRAM_SHARED_MAX: u16 = 1;'

ablation shared-8 index "rules whose n-gram 8 others have are attached to a head, if they can be (3)"
swap index/wildcard_index.rs 'const NGRAM_SHARED_MAX: u16 = 3;' 'const NGRAM_SHARED_MAX: u16 = 8;'

ablation triples-off index "no listed rule is ruled out by the triples of the target"
swap index/wildcard_index.rs 'are_few || triples.of(bytes)' 'true || are_few || triples.of(bytes)'

ablation triples-always index "triples are collected however few rules are listed (5)"
swap index/wildcard_index.rs 'rules.sum::<u32>() <= FEW_RULES' 'rules.sum::<u32>() == 0'

ablation short-text-off index "a listed rule is matched through its row, not by its block"
swap index/wildcard_index.rs 'short_text: kept.short_text(rank),' 'short_text: None,'

ablation dedup-off index "equal rules of a list are all kept"
swap index/wildcard_index.rs 'if list.len() > FEW_RULES as usize {' 'if list.len() > usize::MAX - 1 {'

ablation short-ngrams-off index "rules without a run of 4 bytes are compared every time"
swap index/ngram.rs '    if has_four {
        return;
    }' '    if has_four || true {
        return;
    }'

ablation runs-off index "few n-grams are not sought by the halves of their bytes"
swap index/ngram_table.rs 'const RUNS_MAX: usize = 512;' 'const RUNS_MAX: usize = 0;'

ablation runs-128 index "up to 128 n-grams are sought by the halves of their bytes (512)"
swap index/ngram_table.rs 'const RUNS_MAX: usize = 512;' 'const RUNS_MAX: usize = 128;'

ablation first-of-ngram-off index "more n-grams are not sought by their first bytes"
swap index/ngram_table.rs 'if first.is_ascii() {' 'if false & first.is_ascii() {'

ablation tags-off index "no tag distinguishes n-grams that share a bit"
swap index/ngram_table.rs 'if tag != tag_of(number) && tag != ANY_TAG {' 'if false && tag != tag_of(number) {'

ablation bits-4 index "4 bits for each n-gram (16)"
swap index/ngram_table.rs 'const BITS_PER_GRAM: usize = 16;' 'const BITS_PER_GRAM: usize = 4;'

# -- compare ------------------------------------------------------------------------------------

ablation near-off both "fragments are never sought in linear time far on in a target (from 256 bytes on)"
swap compare/byte_search.rs 'const NEAR: usize = 8 * BLOCK;' 'const NEAR: usize = usize::MAX / 2;'

ablation long-needle-off both "long fragments are sought as short ones are"
swap compare/byte_search.rs 'const LONG_NEEDLE: usize = 64;' 'const LONG_NEEDLE: usize = usize::MAX;'

