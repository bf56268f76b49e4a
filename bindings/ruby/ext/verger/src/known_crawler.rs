//! `Verger::Crawler`: an entry of the registry.

use magnus::typed_data::Obj;
use magnus::value::ReprValue;
use magnus::{DataTypeFunctions, Error, RArray, RString, Ruby, Symbol, TypedData, Value};
use verger::Star;
use verger_answer::ResolvedCrawler;
use verger_crawlers::{KnownCrawler, Registry};

use crate::bytes::{frozen_string, string, text};
use crate::guard::guarded;
use crate::product_token::ProductToken;

/// A known crawler, wrapped. The registry lives as long as the process.
#[derive(DataTypeFunctions, TypedData)]
#[magnus(class = "Verger::Crawler", free_immediately, frozen_shareable)]
pub(crate) struct Crawler {
    known: &'static KnownCrawler,
}

impl Crawler {
    /// `Crawler[name]`: looks up a crawler by registry name or by its own product token.
    pub(crate) fn by_name(ruby: &Ruby, name: Value) -> Result<Option<Obj<Self>>, Error> {
        let name = text(string(ruby, name)?);
        guarded(ruby, || {
            let known = Registry::bundled().by_name(&name);
            Ok(known.map(|known| Self::wrap(ruby, known)))
        })
    }

    /// `Crawler.from_user_agent(header)`: looks up the known crawler that a `User-Agent` header
    /// names.
    pub(crate) fn from_user_agent(ruby: &Ruby, header: Value) -> Result<Option<Obj<Self>>, Error> {
        let header = text(string(ruby, header)?);
        guarded(ruby, || {
            let resolved = ResolvedCrawler::from_header(&header).ok();
            let known = resolved.and_then(|resolved| resolved.known());
            Ok(known.map(|known| Self::wrap(ruby, known)))
        })
    }

    /// `Crawler.suggest(name)`: returns registry names similar to a mistyped one.
    pub(crate) fn suggest(ruby: &Ruby, name: Value) -> Result<RArray, Error> {
        let name = text(string(ruby, name)?);
        guarded(ruby, || {
            let names = ruby.ary_new();
            for name in Registry::bundled().suggest(&name) {
                names.push(frozen_string(ruby, name.as_bytes()))?;
            }
            Ok(names)
        })
    }

    /// `Crawler.all`: the whole registry, in its order.
    pub(crate) fn all(ruby: &Ruby) -> Result<RArray, Error> {
        guarded(ruby, || {
            let crawlers = ruby.ary_new();
            for known in Registry::bundled() {
                crawlers.push(Self::wrap(ruby, known))?;
            }
            Ok(crawlers)
        })
    }

    fn wrap(ruby: &Ruby, known: &'static KnownCrawler) -> Obj<Self> {
        let object = ruby.obj_wrap(Self { known });
        object.freeze();
        object
    }

    pub(crate) fn crawler(&self) -> verger::Crawler {
        self.known.crawler()
    }

    pub(crate) fn resolved(&self) -> ResolvedCrawler {
        // A file is read in its own dialect.
        let stated = verger::Dialect::default().into();
        ResolvedCrawler::from_known(self.known, self.known.name()).judged(stated)
    }

    pub(crate) fn name(ruby: &Ruby, crawler: &Self) -> RString {
        frozen_string(ruby, crawler.known.name().as_bytes())
    }

    pub(crate) fn operator(ruby: &Ruby, crawler: &Self) -> RString {
        frozen_string(ruby, crawler.known.operator().as_bytes())
    }

    pub(crate) fn tokens(ruby: &Ruby, crawler: &Self) -> Result<RArray, Error> {
        let tokens = ruby.ary_new();
        for token in crawler.known.tokens() {
            tokens.push(ProductToken::wrap(ruby, token.clone()))?;
        }
        tokens.freeze();
        Ok(tokens)
    }

    /// `#purposes`, as symbols: `:search`, `:ai_train`.
    pub(crate) fn purposes(ruby: &Ruby, crawler: &Self) -> Result<RArray, Error> {
        let purposes = ruby.ary_new();
        for purpose in crawler.known.purposes() {
            purposes.push(ruby.to_symbol(purpose.as_str().replace('-', "_")))?;
        }
        purposes.freeze();
        Ok(purposes)
    }

    /// `#obeys`: `:yes`, `:no` or `:unclear`.
    pub(crate) fn obeys(ruby: &Ruby, crawler: &Self) -> Symbol {
        ruby.to_symbol(crawler.known.obeys().as_str())
    }

    pub(crate) fn honours_star(&self) -> bool {
        self.known.star() == Star::Honoured
    }

    pub(crate) fn is_retired(&self) -> bool {
        self.known.is_retired()
    }

    pub(crate) fn is_control_only(&self) -> bool {
        self.known.is_control_only()
    }

    pub(crate) fn docs(ruby: &Ruby, crawler: &Self) -> Option<RString> {
        let docs = crawler.known.docs()?;
        Some(frozen_string(ruby, docs.as_bytes()))
    }

    pub(crate) fn note(ruby: &Ruby, crawler: &Self) -> Option<RString> {
        let note = crawler.known.note()?;
        Some(frozen_string(ruby, note.as_bytes()))
    }
}
