"""Folders of documents, indexed on disk and searched by claim.

base = KnowledgeBase(path_of_the_index)
report = base.add(Path("handbook"), load_registry_file(FetchPolicy, FETCH_FILE))
passages = base.search("The harbour was dredged to 14 metres in 2019.", 5)
"""
