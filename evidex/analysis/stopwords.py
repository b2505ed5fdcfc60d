"""Words that say nothing about what a text is about, by language: articles, prepositions, auxiliaries, pronouns.

The lists are short on purpose: inverse document frequency deals with the rest. Negations (`not`, `no`, `without`,
`nicht`, `pas` …) are never among them, for they turn a rule into its opposite. All words are case-folded.
"""

from __future__ import annotations

STOP_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "da": """af at da de den der det du efter eller en er et for fra han har hun hvad i jeg med men og om på
            sig som til var ved vi være""",
        "de": """als am an auf aus bei das dass dem den der des die du ein eine einem einen einer eines er es für
            hat ich ihr im in ist mit nach oder sich sie sind um und von vor war was wenn werden wie wir wird zu zum
            zur""",
        "en": """a an and are as at be been but by do does did for from had has have how i if in into is it its me my
            of on or our such that the their then there these they this to was we were what when where which who
            will with you your eg ie""",
        "es": """al como con de del el ella en entre es esta este esto fue ha han la las le lo los más me mi o para
            pero por que qué se ser si son su sus un una uno y ya""",
        "fi": "ja jos joka kun mikä mutta ne oli on ovat se sekä tai tämä",
        "fr": """à au aux avec c ce ces cette d dans de des du elle en est et il ils j je l la le les leur m mais ou
            par pour qu que qui s sa se ses son sont sur t un une vous y""",
        "it": """a ai al alla alle che chi con d da dal dalla dei del della delle di e è ed gli ha i il in l la le lo
            ma nel nella o per più può se si sono su sul sulla un una uno""",
        "nl": """aan als bij dat de der die dit door een en er het hij ik in is je met naar of om onder ook op over te
            tot uit van voor was wat we wordt zijn""",
        "no": """at av da de den der det du eller en er et for fra han har hun hva i jeg med men og om på seg som til
            var ved vi""",
        "pt": """a ao aos as à às com como da das de do dos e é ela ele em entre foi há mais mas na nas no nos o os ou
            para pela pelo por que quem se ser seu sua são um uma""",
        "ru": "а в во для до его ее если за и из или к как ко на о об от по при с со то у что это",
        "sv": """att av de den det där du efter eller en er ett från för han har hon i jag med men och om på sig som
            till var vi vid är""",
    }.items()
}
