//! May a crawler index a page: robots.txt, the response and the directives of the page together.
//!
//! | module | one line |
//! |---|---|
//! | `response_head` | the status and header fields of a response |
//! | `page_facts` | the known facts about a page, for any crawler |
//! | `page_date` | the date of `unavailable_after` |
//! | `page_reader` | the names by which directives address a crawler |
//! | `page_answer` | the answer for one crawler |
//! | `page_finding` | mistakes in the directives of a page |
//! | `page_of_check` | adds the answer about a page to the answer about its URL |

pub(crate) mod page_answer;
pub(crate) mod page_date;
pub(crate) mod page_facts;
pub(crate) mod page_finding;
mod page_of_check;
pub(crate) mod page_reader;
pub(crate) mod response_head;
